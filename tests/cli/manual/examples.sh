# Each example of the manual prints what the manual says.
man-examples "$CASES"/../../man/*.1
