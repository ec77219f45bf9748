module fathom/driver

go 1.22

require (
	github.com/BurntSushi/toml v1.5.0
	golang.org/x/sys v0.30.0
	gopkg.in/yaml.v3 v3.0.1
)
