"""Writes workbooks by openpyxl: reads {file: {sheet: rows}} as JSON, where {"time": "2026-03-31T18:00:00"} is a date."""
import json
import sys
from datetime import datetime

from openpyxl import Workbook

for file, sheets in json.load(sys.stdin).items():
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append([datetime.fromisoformat(cell["time"]) if isinstance(cell, dict) else cell for cell in row])
            # A text such as =1+1 is no formula.
            for cell in sheet[sheet.max_row]:
                if isinstance(cell.value, str):
                    cell.data_type = "s"
    book.save(file)
