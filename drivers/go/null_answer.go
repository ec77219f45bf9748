// null for operations whose answer is computed: it is computed beforehand.

package main

import (
	"hash/crc32"
	"syscall"
)

// answerTask gives the answer of each file. One answer is all of them for
// config-load.
type answerTask struct {
	plain
	paths   []string
	compute func(path string, out *sink) error
	answers []answer
}

type answer struct{ delivered, verified sink }

func newAnswerTask(p *plan) task {
	t := &answerTask{paths: p.paths}
	switch p.operation {
	case lines:
		t.compute = fromData(func(data []byte, out *sink) { eachLine(data, out) })
	case search:
		q := newQuery(&p.settings)
		t.compute = fromData(func(data []byte, out *sink) { out.matches(int64(len(data)), countBytes(&q, data)) })
	case hashFile:
		t.compute = fromData(func(data []byte, out *sink) {
			h := algorithms[p.algorithm]()
			h.Write(data)
			out.hash(int64(len(data)), h.Sum(nil))
		})
	case copyFile:
		t.compute = fromData(func(data []byte, out *sink) {
			out.written(int64(len(data)))
			out.crc = crc32.ChecksumIEEE(data)
		})
	case configLoad:
		t.paths = p.paths[:1]
		all := newConfigTask(p, configReadFile)
		t.compute = func(_ string, out *sink) error {
			if err := all.takeUp(); err != nil {
				return err
			}
			return all.perform(0, 0, out)
		}
	}
	return t
}

// fromData computes from a file's bytes, which are not kept.
func fromData(compute func(data []byte, out *sink)) func(string, *sink) error {
	return func(path string, out *sink) error {
		data, err := loadOutsideHeap(path)
		if err != nil {
			return err
		}
		compute(data, out)
		if data != nil {
			return syscall.Munmap(data)
		}
		return nil
	}
}

func (t *answerTask) perform(which int, _ int64, out *sink) error {
	a := &t.answers[which].delivered
	if out.full {
		a = &t.answers[which].verified
	}
	out.bytes += a.bytes
	out.digest += a.digest
	out.counted += a.counted
	out.crc = a.crc
	return nil
}

func (t *answerTask) takeUp() error {
	for len(t.answers) < len(t.paths) {
		path := t.paths[len(t.answers)]
		a := answer{verified: sink{full: true}}
		if err := t.compute(path, &a.delivered); err != nil {
			return err
		}
		if err := t.compute(path, &a.verified); err != nil {
			return err
		}
		t.answers = append(t.answers, a)
	}
	return nil
}
