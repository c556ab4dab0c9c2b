// <url> <how often> <bytes> [header: value]...: what HttpClient of Java reads, one line each: client, status, body.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;

public class Client {
    public static void main(String[] args) throws Exception {
        byte[] body = new byte[Integer.parseInt(args[2])];
        Arrays.fill(body, (byte) ' ');
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(args[0]));
        for (int i = 3; i < args.length; i++) {
            String[] header = args[i].split(": ", 2);
            request.header(header[0], header[1]);
        }
        HttpRequest post = request.POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
        HttpClient client = HttpClient.newHttpClient();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            try {
                HttpResponse<String> response = client.send(post, HttpResponse.BodyHandlers.ofString());
                System.out.println("java HttpClient\t" + response.statusCode() + "\t" + response.body());
            } catch (Exception error) {
                System.out.println("java HttpClient\t" + error.getMessage() + "\t");
            }
        }
    }
}
