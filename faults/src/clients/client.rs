// <url> <how often> <bytes> [header: value]...: what a client reads that sends all before it reads, one line each: client, status, body.
use std::io::{Read, Write};
use std::net::TcpStream;

fn call(url: &str, body: &[u8], lines: &[String]) -> std::io::Result<String> {
    let rest = url.trim_start_matches("http://");
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let mut stream = TcpStream::connect(host)?;
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{}\r\n\r\n",
        path, host, body.len(), lines.join("\r\n")
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let status = answer.split(' ').nth(1).unwrap_or("").to_string();
    let text = answer.split("\r\n\r\n").nth(1).unwrap_or("").to_string();
    Ok(format!("{}\t{}", status, text))
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let times: usize = args[2].parse().unwrap();
    let body = vec![b' '; args[3].parse().unwrap()];
    for _ in 0..times {
        match call(&args[1], &body, &args[4..]) {
            Ok(line) => println!("rust std\t{}", line),
            Err(error) => println!("rust std\t{}\t", error),
        }
    }
}
