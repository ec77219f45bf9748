printf 'barge;Annie;1200;3\nbarge;Beatrice;800;1\nskiff;Petrel;90;12\n' > register.dat
printf 'barge Annie 400\nskiff Petrel 10\n.\nskiff Gull 10\n.\nbarge Clara 650\nbarge Annie 400\n.\nskiff Petrel 10\n.\nbarge Beatrice 800\n.\nskiff Gull 15\nbarge Clara 20\n' > passages.txt
