# <url> <how often> <bytes> [header: value]...: what two clients of Python read, one line each: client, status, body.
import http.client
import sys
import urllib.error
import urllib.parse
import urllib.request

url, times, size, *lines = sys.argv[1:]
headers = dict(line.split(": ", 1) for line in lines)
body = b" " * int(size)


def by_urllib():
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read()


def by_http_client():
    at = urllib.parse.urlparse(url)
    connection = http.client.HTTPConnection(at.hostname, at.port)
    connection.request("POST", at.path, body, headers)
    response = connection.getresponse()
    return response.status, response.read()


for name, call in ("python urllib", by_urllib), ("python http.client", by_http_client):
    for _ in range(int(times)):
        try:
            status, text = call()
            print(name, status, text.decode(), sep="\t")
        except Exception as error:
            print(name, type(error).__name__, "", sep="\t")
