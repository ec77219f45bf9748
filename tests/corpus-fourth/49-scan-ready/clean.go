// Starts a scanner and reads its page when it is there.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
)

func main() {
	scan := exec.Command("sh", "-c", "sleep 0.3; seq 1 300 > scan.part; mv scan.part scan.done")
	if err := scan.Start(); err != nil {
		log.Fatal(err)
	}
	if err := scan.Wait(); err != nil {
		log.Fatal(err)
	}
	page, err := os.ReadFile("scan.done")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("page of", len(page), "bytes")
}
