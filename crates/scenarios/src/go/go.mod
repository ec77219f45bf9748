module fathom/scenario

go 1.22
