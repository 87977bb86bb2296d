"""Saves workbooks again by openpyxl: each file named by an argument. What openpyxl warns of is an error."""
import sys
import warnings

from openpyxl import load_workbook

warnings.simplefilter("error")
for file in sys.argv[1:]:
    load_workbook(file).save(file)
