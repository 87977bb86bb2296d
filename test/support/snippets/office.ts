import type { Snippet } from './snippet.ts';

/** What people copy from office programs. */
export const office: readonly Snippet[] = [
  [
    'Word, a paragraph',
    `<p class=MsoNormal><span lang=DE style='font-size:12.0pt;mso-fareast-language:DE'>Die Schiff&shy;fahrts&shy;gesellschaft er&ouml;ffnet ihr B&uuml;ro<o:p></o:p></span></p>`,
    ['Schifffahrtsgesellschaft', 'eröffnet', 'buro'],
    ['MsoNormal', 'ouml', 'shy', 'fareast'],
  ],
  [
    'Word, a list',
    `<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Preise bleiben gleich</p>`,
    ['·', 'preise', 'gleich'],
    ['supportLists', 'symbol', 'roman', '·preise'],
  ],
  [
    'Word, settings',
    '<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View><w:Zoom>0</w:Zoom></w:WordDocument></xml><![endif]--><p class="MsoNormal">Wartung am Sonntag</p>',
    ['wartung', 'sonntag'],
    ['WordDocument', 'normal', 'zoom', 'endif'],
  ],
  [
    'Word, styles',
    '<style><!-- /* Font Definitions */ @font-face {font-family:"Cambria Math"; panose-1:2 4 5 3 5 4 6 3 2 4;} p.MsoNormal {margin:0cm} --></style><p class=MsoNormal>Quartalsbericht</p>',
    ['quartalsbericht'],
    ['cambria', 'panose', 'margin'],
  ],
  [
    'Word, French',
    '<p class=MsoNormal>L’accès à l’espace client s’ouvre aujourd’hui&nbsp;: «&nbsp;Œuvres&nbsp;»</p>',
    ["l'accès", "L'ACCES", 'l’espace', "aujourd'hui", 'oeuvres', '«'],
    ['nbsp', "aujourd'hui:", '«œuvres'],
  ],
  [
    'Word, a smart tag',
    '<p class=MsoNormal>Neues Rechenzentrum in <st1:City w:st="on"><st1:place w:st="on">Frank</st1:place></st1:City>furt</p>',
    ['frankfurt'],
    ['city', 'place', 'st1'],
  ],
  [
    'Word, signs of its own',
    '<p class=MsoNormal>Wi&#8209;Fi im B&uuml;ro, 10&#8239;% Rabatt, 5&nbsp;000&nbsp;&euro;, 1990&ndash;2024</p>',
    ['wi-fi', '10 %', '000', '€', '1990-2024', '1990–2024'],
    ['8209', 'euro', '10%', '5000', 'ndash'],
  ],
  [
    'Word, a footnote and a change',
    `<p class=MsoNormal>Verf&uuml;gbarkeit 99,9<span class=MsoFootnoteReference><span style='mso-special-character:footnote'>[1]</span></span> <ins cite="mailto:Anna" datetime="2024-05-01T10:00">garan</ins>tiert</p>`,
    ['verfugbarkeit', '99,9', 'garantiert'],
    ['anna', 'mailto', 'footnote', '2024-05'],
  ],
  [
    'Outlook, a mail',
    '<div class="WordSection1"><p class="MsoNormal"><span style="color:#1F497D">Bonjour,<o:p></o:p></span></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><p class="MsoNormal">La maintenance est <b>reporté</b>e</p></div>',
    ['bonjour,', 'reportée', 'reportee'],
    ['1F497D', 'wordsection', 'bonjour,la'],
  ],
  [
    'Outlook, a newsletter',
    '<!--[if mso]><table role="presentation"><tr><td><![endif]--><div>Newsletter d’été</div><!--[if mso]></td></tr></table><![endif]-->',
    ['newsletter', "d'ete", 'd’été'],
    ['presentation', 'mso', 'endif'],
  ],
  [
    'Outlook, links',
    '<a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.com&amp;data=05" originalsrc="https://example.com">Angebot öffnen</a><br><img src="cid:image001.png@01D9" alt="Logo">',
    ['angebot', 'offnen'],
    ['safelinks', 'cid', 'logo', 'example', 'öffnenlogo'],
  ],
  [
    'Outlook, a document',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>Message</title><style>p{color:red}</style></head><body><p>Störung behoben</p></body></html>',
    ['störung', 'storung', 'behoben'],
    ['transitional', 'message', 'charset', 'color'],
  ],
  [
    'LibreOffice, a paragraph',
    '<p style="margin-bottom: 0cm; line-height: 100%"><font face="Liberation Serif, serif"><font size="3" style="font-size: 12pt">Mise à jour des <u>hyper</u>viseurs</font></font></p>',
    ['hyperviseurs', 'à', 'jour'],
    ['liberation', 'serif', '12pt'],
  ],
  [
    'LibreOffice, hyphenation',
    '<p lang="fr-FR" class="western">Ré<span lang="fr-FR">\u00ad</span>seau «&#8239;fibre&#8239;»</p>',
    ['réseau', 'reseau', 'fibre'],
    ['western', 'fr-fr', '8239'],
  ],
  [
    'LibreOffice, a field',
    '<P ALIGN=JUSTIFY STYLE="margin-bottom: 0.21cm">Date&nbsp;: <SDFIELD TYPE=DATETIME SDVAL="45000">01/05/2024</SDFIELD>&mdash;ouverture</P>',
    ['01/05/2024', 'ouverture', '2024-ouverture', '2024—'],
    ['sdval', '45000', 'justify', 'mdash'],
  ],
  [
    'LibreOffice, lists',
    '<ol><li><p>un</p></li><li><p>deux</p></li></ol><dl><dt>terme</dt><dd>sens</dd></dl>',
    ['un', 'deux', 'terme', 'sens'],
    ['undeux', 'deuxterme', 'termesens'],
  ],
  ['Excel, a cell', 'AT&T und R&D: Preise < 5 € (a<b)', ['at&t', 'r&d', '<', 'a<b'], ['amp', 'at&amp']],
  [
    'Excel, a placeholder',
    'Setzen Sie <Ihr-Name> ein\nund schreiben Sie an <info@example.com>',
    ['<ihr-name>', 'ihr-name', 'info@example.com', 'ein'],
    ['einund'],
  ],
  [
    'Excel, a table',
    "<table border=0 cellpadding=0 style='border-collapse:collapse'><col width=64 style='width:48pt'><tr height=20><td height=20 class=xl65 width=64>Standort</td><td class=xl66 align=right x:num=\"1200\">1.200</td></tr></table>",
    ['standort', '1.200'],
    ['xl65', 'collapse', '48pt', 'standort1', 'x:num'],
  ],
  [
    'Excel, an escaped cell',
    'Forschung &amp; Entwicklung: 50 &euro; f&uuml;r K&auml;ufer',
    ['forschung & entwicklung:', 'käufer', 'kaufer', '€'],
    ['amp', 'auml', 'uml', 'euro'],
  ],
  [
    'Excel, an address',
    'https://shop.example.com/?a=1&copy=2&lang=de',
    ['&copy=2', 'lang=de', 'shop.example.com/?a=1&copy'],
    ['©'],
  ],
  [
    'Excel, a formula',
    'List<String> names; if (a < b && c > d) x->y',
    ['list<string>', 'string', '&&', 'x->y'],
    ['listnames', 'amp'],
  ],

  [
    'Google Docs, text',
    `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1f2e"><p dir="ltr" style="line-height:1.38;"><span style="font-size:11pt;font-family:Arial,sans-serif;">Nouveaux serveurs à Mon</span><span style="font-weight:700;">tréal</span></p></b>`,
    ['montréal', 'montreal', 'MONTRÉAL'],
    ['arial', 'guid', 'charset', 'ltr'],
  ],
  [
    'Google Docs, a table',
    '<div dir="ltr" align="left"><table><colgroup><col width="301"/></colgroup><tbody><tr><td><p>CPU</p></td><td><p>Memory</p></td></tr><tr><td><p>4 vCPU</p></td><td><p>16 GB</p></td></tr></tbody></table></div>',
    ['cpu', 'memory', 'vcpu 16'],
    ['cpumemory', '301', 'vcpu16', 'colgroup'],
  ],
  [
    'Google Docs, a line break',
    '<span>First line</span><span><br /></span><span>second line</span>',
    ['first', 'second'],
    ['linesecond', 'br'],
  ],
  [
    'Google Docs, a link',
    '<p><a href="https://www.google.com/url?q=https://status.example.com&amp;sa=D&amp;ust=1700000000"><span>Status page</span></a></p>',
    ['status', 'page'],
    ['google', 'ust', 'sa=d', 'example'],
  ],
  [
    'Google Docs, emoji',
    '<p><span>Launch day 🚀</span><span>\u200bFrank\u200bfurt 👩‍💻</span></p>',
    ['🚀', 'frankfurt', '👩‍💻', '🚀frankfurt'],
    ['🎉'],
  ],
];
