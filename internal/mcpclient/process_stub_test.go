package mcpclient
const childVariable = "X"
func child(string) int { return 0 }
