dpnoise law ' flipped-huber ( gamma = 1 , alpha = 3 ) ' | head -n 1
