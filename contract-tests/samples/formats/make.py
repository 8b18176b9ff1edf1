#!/usr/bin/python3
"""Makes the samples of this folder anew: /usr/bin/python3 make.py

Needs LibreOffice with its Python bridge (apt: libreoffice-writer libreoffice-calc
libreoffice-impress python3-uno) and pandoc. Tests do not run it.
"""
import email.policy
import email.utils
import subprocess
import tempfile
import time
from email.message import EmailMessage
from pathlib import Path

import uno
from com.sun.star.beans import NamedValue, PropertyValue

HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parent
SCRATCH = Path(tempfile.mkdtemp(prefix="ow-samples-"))
PIPE = "ow-samples"

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<office:document office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.{kind}"'
    ' xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    ' xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
    ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    ' xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"'
    ' xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"'
    ' xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"'
    ' xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
    ' xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
    ' xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2">'
    "<office:meta><dc:title>{title}</dc:title></office:meta>"
)

# --- a workbook: four sheets, one of them hidden; dates, percentages, money, formulas, merged cells


def cell(value, kind="string", style="", formula="", span="", shown=None):
    attributes = f' table:style-name="{style}"' if style else ""
    if formula:
        attributes += f' table:formula="of:={formula}"'
    attributes += span
    if kind == "string":
        return f'<table:table-cell office:value-type="string"{attributes}><text:p>{value}</text:p></table:table-cell>'
    name = "date-value" if kind == "date" else "boolean-value" if kind == "boolean" else "value"
    return f'<table:table-cell office:value-type="{kind}" office:{name}="{value}"{attributes}/>'


def row(*cells):
    return "<table:table-row>" + "".join(cells) + "</table:table-row>"


BLANK = "<table:table-cell/>"
COVERED = "<table:covered-table-cell/>"
STYLES = (
    "<office:styles/><office:automatic-styles>"
    '<number:date-style style:name="D"><number:day number:style="long"/><number:text>.</number:text>'
    '<number:month number:style="long"/><number:text>.</number:text><number:year number:style="long"/></number:date-style>'
    '<number:date-style style:name="M"><number:year number:style="long"/><number:text>-</number:text>'
    '<number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/><number:text> </number:text>'
    '<number:hours number:style="long"/><number:text>:</number:text><number:minutes number:style="long"/></number:date-style>'
    '<number:percentage-style style:name="P"><number:number number:decimal-places="1" number:min-decimal-places="1"'
    ' number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>'
    '<number:number-style style:name="N"><number:number number:decimal-places="2" number:min-decimal-places="2"'
    ' number:min-integer-digits="1" number:grouping="true"/></number:number-style>'
    '<style:style style:name="date" style:family="table-cell" style:data-style-name="D"/>'
    '<style:style style:name="moment" style:family="table-cell" style:data-style-name="M"/>'
    '<style:style style:name="share" style:family="table-cell" style:data-style-name="P"/>'
    '<style:style style:name="money" style:family="table-cell" style:data-style-name="N"/>'
    '<style:style style:name="seen" style:family="table"><style:table-properties table:display="true"/></style:style>'
    '<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style>'
    "</office:automatic-styles>"
)


def sheet(name, rows, style="seen"):
    return (
        f'<table:table table:name="{name}" table:style-name="{style}">'
        f'<table:table-column table:number-columns-repeated="6"/>{"".join(rows)}</table:table>'
    )


def workbook():
    wide = ' table:number-columns-spanned="4" table:number-rows-spanned="1"'
    overview = sheet(
        "Übersicht",
        [
            row(cell("Haushaltsplan des Gartenvereins „Morgenröte“", span=wide), COVERED * 3),
            row(*map(cell, ("Posten", "Fällig am", "Betrag", "Anteil"))),
            row(cell("Wasserleitung"), cell("2025-04-12", "date", "date"), cell(18640.5, "float", "money"), cell(0.625, "percentage", "share")),
            row(cell("Müllabfuhr"), cell("2025-08-31", "date", "date"), cell(11184.3, "float", "money"), cell(0.375, "percentage", "share")),
            row(cell("Summe"), BLANK, cell(29824.8, "float", "money", "SUM([.C3:.C4])"), cell(1, "percentage", "share", "SUM([.D3:.D4])")),
            row(cell("Genehmigt"), cell("true", "boolean")),
        ],
    )
    sales = sheet(
        "Продажи",
        [
            row(*map(cell, ("Товар", "Склад", "Принято", "Количество"))),
            row(cell("Насос погружной «Ручеёк»"), cell("Тула"), cell("2025-03-01T06:14:00", "date", "moment"), cell(12, "float")),
            row(cell("Шланг армированный, 25 м"), cell("Калуга"), cell("2025-03-02T17:40:00", "date", "moment"), cell(7, "float")),
        ],
    )
    stock = sheet(
        "库存",
        [
            row(*map(cell, ("品名", "数量", "备注"))),
            row(cell("手动水泵"), cell(30, "float"), cell("存放在第三仓库，需要防潮")),
        ],
    )
    secret = sheet("Rechnung intern", [row(cell("Rücklage"), cell(2500, "float", "money"))], "hidden")
    return (
        HEAD.format(kind="spreadsheet", title="Haushaltsplan 2025")
        + STYLES
        + f"<office:body><office:spreadsheet>{overview}{sales}{stock}{secret}</office:spreadsheet></office:body></office:document>"
    )


# --- a deck: three slides with titles, a list, a table, notes

DECK = """---
title: Wasser für den Garten
---

# Наш колодец

- Глубина колодца составляет двенадцать метров
- Вода чистая с 1998 года

::: notes
Спросить у Елены про анализ воды.
:::

# Angebote im Vergleich

| Pumpe           | Preis    |
|-----------------|----------|
| Tauchpumpe T 40 | 129 Euro |

::: notes
Der Händler gibt bis Ende Mai fünf Prozent Nachlass.
:::

# 下一步计划

五月十日之前更换水泵。
"""


# --- LibreOffice


def value(name, content):
    return PropertyValue(Name=name, Value=content)


OOXML = ("Calc MS Excel 2007 XML", "Impress MS PowerPoint 2007 XML", "MS Word 2007 XML")


def locks(chosen, password):
    key = (NamedValue("CryptoType", "Standard"), NamedValue("OOXPassword", password))
    if chosen not in OOXML:
        return [value("Password", password)]
    return [value("EncryptionData", uno.Any("[]com.sun.star.beans.NamedValue", key))]


class Office:
    def __enter__(self):
        self.process = subprocess.Popen(
            ["soffice", "--headless", "--norestore", f"--accept=pipe,name={PIPE};urp", f"-env:UserInstallation=file://{SCRATCH}/profile"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        for _ in range(120):
            try:
                context = resolver.resolve(f"uno:pipe,name={PIPE};urp;StarOffice.ComponentContext")
                break
            except Exception:
                time.sleep(0.5)
        self.desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        return self

    def __exit__(self, *_):
        try:
            self.desktop.terminate()
        except Exception:
            pass
        self.process.wait(30)

    def convert(self, source, targets):
        document = self.desktop.loadComponentFromURL(source.as_uri(), "_blank", 0, (value("Hidden", True),))
        for target, chosen, password in targets:
            options = [value("FilterName", chosen)] + (locks(chosen, password) if password else [])
            document.storeToURL((HERE / target).as_uri(), tuple(options))
        document.close(True)


def offices():
    (SCRATCH / "plan.fods").write_text(workbook(), "utf-8")
    (SCRATCH / "well.md").write_text(DECK, "utf-8")
    subprocess.run(["pandoc", SCRATCH / "well.md", "-o", SCRATCH / "well.pptx"], check=True)
    with Office() as office:
        office.convert(
            SCRATCH / "plan.fods",
            [
                ("plan.xlsx", "Calc MS Excel 2007 XML", ""),
                ("plan.xlsm", "Calc MS Excel 2007 VBA XML", ""),
                ("plan.xls", "MS Excel 97", ""),
                ("plan.ods", "calc8", ""),
                ("locked.xlsx", "Calc MS Excel 2007 XML", "secret"),
                ("locked.xls", "MS Excel 97", "secret"),
                ("locked.ods", "calc8", "secret"),
            ],
        )
        office.convert(
            SCRATCH / "well.pptx",
            [
                ("well.pptx", "Impress MS PowerPoint 2007 XML", ""),
                ("well.odp", "impress8", ""),
                ("well.ppt", "MS PowerPoint 97", ""),
                ("locked.pptx", "Impress MS PowerPoint 2007 XML", "secret"),
                ("locked.odp", "impress8", "secret"),
            ],
        )
        office.convert(HERE / "lighthouse.pptx", [("lighthouse.ppt", "MS PowerPoint 97", "")])
        office.convert(
            SAMPLES / "protocol-ru.docx",
            [
                ("protocol-ru.odt", "writer8", ""),
                ("protocol-ru.doc", "MS Word 97", ""),
                ("protocol-ru.rtf", "Rich Text Format", ""),
                ("locked.docx", "MS Word 2007 XML", "secret"),
                ("locked.doc", "MS Word 97", "secret"),
                ("locked.odt", "writer8", "secret"),
            ],
        )
        office.convert(
            SAMPLES / "lighthouse.docx",
            [("lighthouse.doc", "MS Word 97", ""), ("lighthouse-lo.odt", "writer8", ""), ("lighthouse-lo.rtf", "Rich Text Format", "")],
        )


# --- pandoc


def pandoc(source, target, *options):
    subprocess.run(["pandoc", str(source), "--standalone", "-o", str(HERE / target), *options], check=True)


TRAVELS = """---
title: Drei Ufer
lang: de
---

# Der Fluss

Die Fähre legt morgens um sechs Uhr vierzig ab, und wer sie verpasst, wartet bis zum Mittag.

# Второй берег

На втором берегу стоит лодочная мастерская, в которой чинят вёсла и продают смолу.

# 第三岸

第三岸只有一座小屋，屋主每天傍晚点亮门前的灯。
"""


def books():
    lighthouse = SAMPLES / "lighthouse.md"
    for target in ("lighthouse.odt", "lighthouse.rtf", "lighthouse.epub", "lighthouse.pptx"):
        pandoc(lighthouse, target)
    source = SCRATCH / "shores.md"
    source.write_text(TRAVELS, "utf-8")
    pandoc(source, "shores.epub", "--epub-chapter-level=1")


# --- RTF as WordPad wrote it: a code page, no Unicode escapes


def wordpad():
    lines = (SAMPLES / "protocol-ru.txt").read_text("utf-8").strip().split("\n\n")
    escaped = ["".join(c if ord(c) < 128 else "\\'%02x" % c.encode("cp1251")[0] for c in line) for line in lines]
    head = (
        "{\\rtf1\\ansi\\ansicpg1251\\deff0\\deflang1049{\\fonttbl{\\f0\\fnil\\fcharset204{\\*\\fname Times New Roman;}Times New Roman CYR;}}\r\n"
        "{\\*\\generator Msftedit 5.41.15.1515;}\\viewkind4\\uc1\\pard\\f0\\fs24 "
    )
    (HERE / "wordpad-ru.rtf").write_bytes((head + "\\par\r\n".join(escaped) + "\\par\r\n}\r\n\0").encode("ascii"))


# --- mail


def mail(name, message):
    (HERE / name).write_bytes(message.as_bytes(policy=email.policy.SMTP))


def headers(subject, sender, *to):
    message = EmailMessage()
    message["From"] = sender
    message["To"] = ", ".join(to)
    message["Subject"] = subject
    message["Date"] = "Sat, 12 Apr 2025 18:20:00 +0300"
    message["Message-ID"] = f"<{name_of(subject)}@garden.example>"
    return message


def name_of(subject):
    return "%08x" % (sum(map(ord, subject)) * 2654435761 % 2**32)


def mails():
    letter = headers("Протокол собрания и смета", "Елена Круглова <elena@garden.example>", "Андрей Тихонов <andrey@garden.example>", "board@garden.example")
    letter["Cc"] = "Jörg Müller <joerg@garden.example>"
    letter.set_content("Добрый день!\n\nВо вложении протокол и смета на водопровод.\nОплатить до первого июля.\n\nЕлена\n")
    letter.add_attachment((SAMPLES / "protocol-ru.txt").read_bytes(), maintype="text", subtype="plain", filename="Протокол собрания.txt")
    letter.add_attachment((HERE / "plan.ods").read_bytes(), maintype="application", subtype="vnd.oasis.opendocument.spreadsheet", filename="plan.ods")
    mail("letter-ru.eml", letter)

    page = headers("Wasser wird abgestellt", "Stadtwerke <info@stadtwerke.example>", "Jörg Müller <joerg@garden.example>")
    page.set_content(
        "<html><head><title>x</title><style>p{color:red}</style></head><body><h1>Wasser wird abgestellt</h1>"
        "<p>Am Dienstag bleibt das Wasser von acht bis zwölf Uhr weg.</p><table><tr><td>Straße</td><td>Uhrzeit</td></tr>"
        "<tr><td>Am Brunnen</td><td>8 bis 10 Uhr</td></tr></table></body></html>",
        subtype="html",
    )
    mail("page-de.eml", page)

    inner = headers("水泵报价", "王芳 <wang@pump.example>", "elena@garden.example")
    inner.set_content("您好，手动水泵的价格是三百元。\n", charset="gb18030", cte="base64")
    forward = headers("Fwd: 水泵报价", "Елена Круглова <elena@garden.example>", "andrey@garden.example")
    forward.set_content("Посмотрите, пожалуйста, что нам ответили про насосы.\n", charset="koi8-r", cte="quoted-printable")
    forward.add_attachment(inner)
    mail("forward.eml", forward)

    saved = headers("Grafting in an Old Orchard", "Blink <saved@browser.example>", "x@y.example")
    del saved["To"]
    saved.set_content((SAMPLES / "orchard.html").read_text("utf-8"), subtype="html")
    saved.make_related()
    mail("orchard.mhtml", saved)

    box = b""
    for message in (letter, page, forward):
        body = message.as_bytes(policy=email.policy.default).replace(b"\nFrom ", b"\n>From ")
        box += b"From sender@garden.example Sat Apr 12 18:20:00 2025\n" + body + b"\n"
    (HERE / "letters.mbox").write_bytes(box)


if __name__ == "__main__":
    offices()
    books()
    wordpad()
    mails()
