/** How programs write in a language and country, by the settings of Windows. */
export interface Locale {
  decimal: '.' | ',';
  grouping: string;
  /** The separator of lists, which Excel writes between cells. */
  list: ',' | ';';
  booleans: readonly [yes: string, no: string];
  /** The short date, with d, dd, m, mm and yyyy. */
  date: string;
  /** A price with its currency, where # is the number. */
  currency: string;
  /** The encoding of files that are not Unicode. */
  codePage: string;
  /** Texts that the encoding has. */
  texts: readonly string[];
}

const NO_BREAK_SPACE = '\u00A0';
const NARROW_SPACE = '\u202F';
const ENGLISH = ['TRUE', 'FALSE'] as const;
const western = 'windows-1252';

const english = {
  booleans: ENGLISH,
  codePage: western,
  texts: ['Café “Déjà vu”', 'Open – 24 hours', 'naïve'],
};
const german = {
  booleans: ['WAHR', 'FALSCH'] as const,
  codePage: western,
  date: 'dd.mm.yyyy',
  texts: ['Größere Server für Übermütige', 'Wir „öffnen“ – endlich', 'Straße 5 €'],
};
const french = {
  booleans: ['VRAI', 'FAUX'] as const,
  codePage: western,
  texts: ['Nos offres d’été', '« Déjà » prêt, à Noël', 'Forêt garçon œuf'],
};
const spanish = {
  booleans: ['VERDADERO', 'FALSO'] as const,
  codePage: western,
  date: 'dd/mm/yyyy',
  texts: ['¿Qué tal, señor?', 'Año nuevo: ¡ofertas!', 'Pingüino'],
};
const point = { decimal: '.', grouping: ',', list: ',' } as const;
const comma = { decimal: ',', grouping: '.', list: ';' } as const;
const spaced = { decimal: ',', grouping: NO_BREAK_SPACE, list: ';' } as const;

export const locales = {
  'en-US': { ...point, ...english, date: 'm/d/yyyy', currency: '$#' },
  'en-GB': { ...point, ...english, date: 'dd/mm/yyyy', currency: '£#' },
  'en-IN': { ...point, ...english, date: 'dd-mm-yyyy', currency: '₹ #' },
  'en-CA': { ...point, ...english, date: 'yyyy-mm-dd', currency: '$#' },
  'en-ZA': { ...spaced, ...english, date: 'yyyy/mm/dd', currency: 'R#' },
  'de-DE': { ...comma, ...german, currency: '# €' },
  'de-AT': { ...comma, ...german, grouping: NO_BREAK_SPACE, currency: '€ #' },
  'de-CH': { ...german, decimal: '.', grouping: '’', list: ';', currency: 'CHF #' },
  'fr-FR': { ...spaced, ...french, grouping: NARROW_SPACE, date: 'dd/mm/yyyy', currency: '# €' },
  'fr-CH': { ...spaced, ...french, grouping: NARROW_SPACE, date: 'dd.mm.yyyy', currency: '# CHF' },
  'fr-CA': { ...spaced, ...french, date: 'yyyy-mm-dd', currency: '# $' },
  'es-ES': { ...comma, ...spanish, currency: '# €' },
  'es-MX': { ...point, ...spanish, currency: '$#' },
  'it-IT': {
    ...comma,
    booleans: ['VERO', 'FALSO'],
    codePage: western,
    date: 'dd/mm/yyyy',
    currency: '# €',
    texts: ['Perché no?', 'Più città, è così', 'Libertà'],
  },
  'pt-BR': {
    ...comma,
    booleans: ['VERDADEIRO', 'FALSO'],
    codePage: western,
    date: 'dd/mm/yyyy',
    currency: 'R$ #',
    texts: ['Não é possível', 'Configuração básica', 'São Paulo'],
  },
  'nl-NL': {
    ...comma,
    booleans: ['WAAR', 'ONWAAR'],
    codePage: western,
    date: 'd-m-yyyy',
    currency: '€ #',
    texts: ['Eén server', 'Financiële coördinatie', 'Reünie'],
  },
  'pl-PL': {
    ...spaced,
    booleans: ['PRAWDA', 'FAŁSZ'],
    codePage: 'windows-1250',
    date: 'dd.mm.yyyy',
    currency: '# zł',
    texts: ['Zażółć gęślą jaźń', 'Łódź i Kraków', 'Święta'],
  },
  'ru-RU': {
    ...spaced,
    booleans: ['ИСТИНА', 'ЛОЖЬ'],
    codePage: 'windows-1251',
    date: 'dd.mm.yyyy',
    currency: '# р.',
    texts: ['Облачный сервер', '«Скоро» открытие – завтра', 'Новости'],
  },
  'tr-TR': {
    ...comma,
    booleans: ['DOĞRU', 'YANLIŞ'],
    codePage: 'windows-1254',
    date: 'd.mm.yyyy',
    currency: '₺#',
    texts: ['Güçlü sunucu', 'İstanbul’da açıldı', 'Şeffaf ağ'],
  },
  'sv-SE': {
    ...spaced,
    booleans: ['SANT', 'FALSKT'],
    codePage: western,
    date: 'yyyy-mm-dd',
    currency: '# kr',
    texts: ['Större servrar på gång', 'Öppet på Åland', 'Nyår'],
  },
  'zh-CN': {
    ...point,
    booleans: ENGLISH,
    codePage: 'gbk',
    date: 'yyyy/m/d',
    currency: '¥#',
    texts: ['香港云服务器', '高性能计算已上线，欢迎试用', '公告：维护'],
  },
  'ja-JP': {
    ...point,
    booleans: ENGLISH,
    codePage: 'shift_jis',
    date: 'yyyy/m/d',
    currency: '¥#',
    texts: ['クラウドサーバー', '新しいサービスを開始しました。', 'お知らせ'],
  },
  'ko-KR': {
    ...point,
    booleans: ENGLISH,
    codePage: 'euc-kr',
    date: 'yyyy-mm-dd',
    currency: '₩#',
    texts: ['클라우드 서버', '새로운 서비스를 시작합니다', '공지'],
  },
} as const satisfies Record<string, Locale>;

export type LocaleName = keyof typeof locales;
export const localeNames = Object.keys(locales) as LocaleName[];

/** Texts of many scripts, which only Unicode has. */
export const manyScripts: readonly string[] = [
  ...localeNames
    .flatMap(name => locales[name].texts.slice(0, 1))
    .filter((text, i, all) => all.indexOf(text) === i),
  'مرحبا 👩‍💻 שלום',
];
