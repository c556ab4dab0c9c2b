// <url> <how often> <bytes> [header: value]...: what net/http of Go reads, one line each: client, status, body.
package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
)

func call(url string, body []byte, lines []string) (int, string, error) {
	request, err := http.NewRequest("POST", url, bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}

func main() {
	times, _ := strconv.Atoi(os.Args[2])
	size, _ := strconv.Atoi(os.Args[3])
	body := bytes.Repeat([]byte(" "), size)
	for i := 0; i < times; i++ {
		status, text, err := call(os.Args[1], body, os.Args[4:])
		if err != nil {
			fmt.Printf("go net/http\t%s\t\n", strings.ReplaceAll(err.Error(), "\t", " "))
		} else {
			fmt.Printf("go net/http\t%d\t%s\n", status, text)
		}
	}
}
