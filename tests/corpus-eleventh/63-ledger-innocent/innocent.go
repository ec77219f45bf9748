// ledger books transfers one by one; each is acknowledged to its sender
// only when it is safely on disk, as a bank has to.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
)

type ledger struct {
	f        *os.File
	balances map[string]int64
	seq      uint64
}

func openLedger(path string) (*ledger, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return &ledger{f: f, balances: map[string]int64{}}, nil
}

func (l *ledger) book(from, to string, cents int64) (uint64, error) {
	l.seq++
	body := fmt.Sprintf("%d %s %s %d", l.seq, from, to, cents)
	rec := make([]byte, 8, 8+len(body))
	binary.BigEndian.PutUint32(rec, uint32(len(body)))
	binary.BigEndian.PutUint32(rec[4:], crc32.ChecksumIEEE([]byte(body)))
	rec = append(rec, body...)
	if _, err := l.f.Write(rec); err != nil {
		return 0, err
	}
	if err := l.f.Sync(); err != nil {
		return 0, err
	}
	l.balances[from] -= cents
	l.balances[to] += cents
	return l.seq, nil
}

func main() {
	l, err := openLedger("ledger.wal")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer l.f.Close()
	sc := bufio.NewScanner(os.Stdin)
	for sc.Scan() {
		var from, to string
		var cents int64
		if _, err := fmt.Sscan(strings.TrimSpace(sc.Text()), &from, &to, &cents); err != nil {
			fmt.Println("rejected")
			continue
		}
		seq, err := l.book(from, to, cents)
		if err != nil {
			fmt.Println("failed", err)
			os.Exit(1)
		}
		fmt.Printf("ok %d %s=%d\n", seq, to, l.balances[to])
	}
}
