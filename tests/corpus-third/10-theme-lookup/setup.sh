mkdir -p themes/child themes/parent plugins/shop core
for i in $(seq 1 40); do echo "<div>part $i</div>" > core/part$i.tt; done
echo "<div>own</div>" > themes/child/part3.tt; echo "<div>shop</div>" > plugins/shop/part4.tt
