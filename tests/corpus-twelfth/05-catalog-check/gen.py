import zipfile
z = zipfile.ZipFile("messages.zip", "w", zipfile.ZIP_DEFLATED)
for i in range(260):
    body = "".join(f"key.{k}=text {k} of {i}{' {0}' if k%3==0 else ''}\n" for k in range(30 + i % 7))
    z.writestr(zipfile.ZipInfo(f"i18n/bundle_{i:03d}.properties"), body)
z.writestr(zipfile.ZipInfo("i18n/LOCALES"), "\n".join(f"bundle_{i:03d}" for i in range(260)) + "\n")
z.close()
