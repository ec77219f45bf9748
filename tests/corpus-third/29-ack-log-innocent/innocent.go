package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
)

// serve acknowledges each line only when it is on the disk.
func serve(c net.Conn, log *os.File, done chan<- int) {
	n := 0
	sc := bufio.NewScanner(c)
	for sc.Scan() {
		if _, err := fmt.Fprintln(log, sc.Text()); err != nil {
			break
		}
		if err := log.Sync(); err != nil {
			break
		}
		n++
		fmt.Fprintln(c, "ack", n)
	}
	c.Close()
	done <- n
}

func main() {
	log, err := os.OpenFile("wal.log", os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		panic(err)
	}
	if d, err := os.Open("."); err == nil {
		d.Sync()
		d.Close()
	}
	client, server := net.Pipe()
	done := make(chan int)
	go serve(server, log, done)
	r := bufio.NewScanner(client)
	acks := 0
	for i := 0; i < 30; i++ {
		fmt.Fprintf(client, "transfer %d\n", i*10)
		if r.Scan() {
			acks++
		}
	}
	client.Close()
	fmt.Println(<-done, "records,", acks, "acknowledged")
	if err := log.Close(); err != nil {
		panic(err)
	}
}
