mkdir rates
for c in AUD BGN BRL CAD CHF CNY CZK DKK GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PLN RON SEK; do echo '{"rate": 1}' > rates/$c.json; done
