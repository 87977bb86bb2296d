import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns a number from 0 up to 1 at each call. */
export type Random = () => number;

/** The same numbers for the same seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `least` to `most`, both included. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** The items in random order. */
export function shuffled<Item>(items: Iterable<Item>, random: Random): Item[] {
  const drawn = [...items].map(item => ({ item, lot: random() }));
  return drawn.sort((one, other) => one.lot - other.lot).map(({ item }) => item);
}

/** The language of the news items: characters of one byte in UTF-8, or of three. */
export type Text = 'ascii' | 'chinese';

/** `words` go from the most common to the least; names are made of `syllables`, of which no word contains one. */
const languages = {
  ascii: {
    words:
      split(`the and to of for in with from now can are your our is on all by new this that will each server cloud
      data region price service customers network storage backup node cluster memory disk traffic update version
      support address console order month year plan limit access account security key image snapshot volume
      database cache queue balancer gateway firewall certificate domain record zone latency bandwidth capacity
      maintenance window restart migration upgrade release feature beta preview launch discount invoice payment
      refund currency tax contract renewal trial credit quota usage report chart alert metric log trace audit
      policy role team member project folder template deploy rollback build pipeline container kernel driver
      processor core thread benchmark throughput request response error retry timeout replica failover recovery
      archive restore encryption token session password login browser mobile tablet office partner reseller
      conference webinar workshop tutorial guide manual question answer feedback survey roadmap quarter holiday
      weekend morning evening engineer operator building generator cooling cable fibre router`),
    syllables: split('ba ce di fo gu ha je ki lo mu na pe qi ro su ta ve wi xo zu'),
    ...{ space: ' ', stop: '. ' },
  },
  chinese: {
    words:
      split(`我们 可以 服务 用户 数据 云端 服务器 价格 新的 以及 现在 所有 更新 支持 网络 存储 地区 节点 集群 内存
      磁盘 流量 版本 控制台 订单 月份 年度 套餐 限制 访问 账户 安全 密钥 镜像 快照 数据库 缓存 队列 负载均衡 网关
      防火墙 证书 域名 记录 延迟 带宽 容量 维护 窗口 重启 迁移 升级 发布 功能 测试 预览 上线 折扣 发票 付款 退款 货币
      税费 合同 续费 试用 额度 配额 用量 报告 图表 告警 指标 日志 追踪 审计 策略 角色 团队 成员 项目 文件夹 模板 部署
      回滚 构建 流水线 容器 内核 驱动 处理器 核心 线程 基准 吞吐量 请求 响应 错误 重试 超时 副本 故障 恢复 归档 还原
      加密 令牌 会话 密码 登录 浏览器 手机 平板 办公室 伙伴 经销商 会议 讲座 研讨会 教程 指南 手册 问题 回答 反馈 调查
      路线 季度 假期 周末 早上 晚上 工程师 运维 大楼 发电机 冷却 电缆 光纤 路由`),
    syllables: split('埃 芭 蒂 芙 戈 赫 伊 茜 卡 莱 玛 娜 欧 佩 琪 萝 莎 塔 薇 佐'),
    ...{ space: '', stop: '。' },
  },
};

function split(words: string): string[] {
  return words.trim().split(/\s+/);
}

/** Random words, common ones far more often. */
export function phrase(text: Text, words: number, random: Random): string {
  const language = languages[text];
  const pick = () => language.words[Math.floor(language.words.length * random() ** 2)] ?? '';
  return Array.from({ length: words }, pick).join(language.space);
}

/** A name of four syllables such as `basudilo`: unique for each index from 0 to 159,999, and in no word. */
export function nameOf(text: Text, index: number): string {
  const { syllables } = languages[text];
  const { length } = syllables;
  // The factor is coprime to the number of names, so that names of adjacent items differ from the first syllable on.
  const mixed = (index * 61_543 + 12_347) % length ** 4;
  return [3, 2, 1, 0].map(place => syllables[Math.floor(mixed / length ** place) % length]).join('');
}

/** Paragraphs of HTML of about 1 kB; the first one begins with the name of the item, which no other item contains. */
function contentOf(id: number, text: Text, random: Random): string {
  const bytes = between(random, 700, 1300);
  const { space, stop } = languages[text];
  const sentence = () => `${phrase(text, between(random, 4, 18), random)}${stop}`;
  let html = `<p>${nameOf(text, id)}${space}${sentence()}`;
  while (Buffer.byteLength(html) < bytes) html += `${random() < 0.2 ? '</p><p>' : ''}${sentence()}`;
  return `${html}</p>`;
}

/** The lower its id, the newer an item is. */
function newsRow(id: number, text: Text, random: Random) {
  const create_time = Date.UTC(2025, 0) / 1000 - 3600 * id;
  return {
    id,
    type_id: between(random, 1, 10),
    title: phrase(text, between(random, 4, 8), random),
    content: contentOf(id, text, random),
    keywords: Array.from({ length: between(random, 2, 5) }, () => phrase(text, 1, random)).join(','),
    read: between(random, 0, 5000),
    create_time,
    update_time: random() < 0.2 ? create_time + between(random, 1, 30 * 86_400) : 0,
  };
}

const durations = [1, 3, 6, 12, 36].map((num, index) => ({
  id: index + 1,
  name: `${num} months`,
  num,
  unit: 'month',
}));
const CONFIGURATIONS_PER_PRODUCT = 20;

/** The combination that a price has, by its id from 1. */
export function combinationOf(priceId: number) {
  const rel_id = Math.ceil(priceId / durations.length);
  const duration_id = ((priceId - 1) % durations.length) + 1;
  return { product_id: Math.ceil(rel_id / CONFIGURATIONS_PER_PRODUCT), rel_id, duration_id };
}

/** The configurations of each product go from small to large. */
function configurationRow(id: number) {
  const step = (id - 1) % CONFIGURATIONS_PER_PRODUCT;
  const product_id = Math.ceil(id / CONFIGURATIONS_PER_PRODUCT);
  return { id, product_id, name: `S${step + 1}`, cpu: step + 1, memory: 2048 * (step + 1), order: step };
}

/** How many news items of about 1 kB a catalog has, and how many prices, five for each configuration. */
interface CatalogOptions {
  news: number;
  prices: number;
  text: Text;
}

/** The rows of each catalog. */
export type Rows = Awaited<ReturnType<typeof generateCatalog>>;

/** Writes catalogs as CSV files to a directory, which it creates: the same for the same options. Returns their rows. */
export async function generateCatalog(dir: string, { news, prices, text }: CatalogOptions) {
  const random = seededRandom(1);
  const rows = <Row extends object>(length: number, rowOf: (id: number) => Row) =>
    Array.from({ length }, (_, index) => rowOf(index + 1));
  const { product_id: products, rel_id: configurations } = combinationOf(prices);
  const catalogs = {
    products: rows(products, id => ({ id, name: `Cloud Server ${id}`, description: `Series ${id}` })),
    configurations: rows(configurations, configurationRow),
    durations,
    prices: rows(prices, id => ({ id, ...combinationOf(id), price: between(random, 1000, 1_000_000) / 100 })),
    news_types: rows(10, id => ({ id, name: `Topic ${id}` })),
    news: rows(news, id => newsRow(id, text, random)),
  };
  await mkdir(dir, { recursive: true });
  for (const [name, all] of Object.entries(catalogs)) {
    const lines = [Object.keys(all[0] ?? {}), ...all.map(row => Object.values(row))].map(csvLine);
    await writeFile(join(dir, `${name}.csv`), lines.join(''));
  }
  return catalogs;
}

/** No text has a quote. */
function csvLine(cells: (string | number)[]): string {
  return `${cells.map(value => (typeof value === 'number' ? value : `"${value}"`)).join(',')}\n`;
}
