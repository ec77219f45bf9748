mkdir shaders
for s in sky water grass stone metal glass fog bloom; do for k in vert frag geom; do
  { echo "#version 330 core"; for i in $(seq 1 40); do echo "// $s $k line $i"; done; echo "void main() { }"; } > shaders/$s.$k.glsl
done; done
