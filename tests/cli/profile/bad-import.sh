# A line that is no part is named, with its number; nothing is printed.
refused() {
    printf '# times sensitivity law\n%s\n' "$1" >parts
    dpnoise profile --import parts --epsilon 1 || echo $?
}
refused '1 1'
refused 'x 1 laplace(scale=1)'
refused '0 1 laplace(scale=1)'
refused '1 -1 laplace(scale=1)'
refused '1 1 laplacian(scale=1)'
refused '1 - laplace(scale=1)'
refused '1 - pure(epsilon=nan)'
refused '1 1 pure(epsilon=1)'
refused ''
