import { between, type Random } from './random.ts';

/** The language of the news items: characters of one byte in UTF-8, or of three. */
export type Text = 'ascii' | 'chinese';

interface Language {
  /** From the most common to the least. */
  words: string[];
  space: string;
  comma: string;
  stop: string;
  /** The parts of names. No word contains one, so that a search finds a name only where it stands. */
  syllables: string[];
}

const languages: Record<Text, Language> = {
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
    space: ' ',
    comma: ', ',
    stop: '. ',
    syllables: split('ba ce di fo gu ha je ki lo mu na pe qi ro su ta ve wi xo zu'),
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
    space: '',
    comma: '，',
    stop: '。',
    syllables: split('埃 芭 蒂 芙 戈 赫 伊 茜 卡 莱 玛 娜 欧 佩 琪 萝 莎 塔 薇 佐'),
  },
};

/** Random words, common ones far more often. */
export function phrase(text: Text, words: number, random: Random): string {
  const language = languages[text];
  const pick = () => language.words[Math.floor(language.words.length * random() ** 2)] ?? '';
  return Array.from({ length: words }, pick).join(language.space);
}

/** A sentence of one clause or two. */
export function sentence(text: Text, random: Random): string {
  const { comma, stop } = languages[text];
  const clause = () => phrase(text, between(random, 4, 9), random);
  return random() < 0.5 ? `${clause()}${comma}${clause()}${stop}` : `${clause()}${stop}`;
}

/** A name of four syllables such as `basudilo`: unique for each index from 0 to 159,999, and never a word. */
export function nameOf(text: Text, index: number): string {
  const { syllables } = languages[text];
  const { length } = syllables;
  // The factor is coprime to the number of names, so that names of adjacent items differ from the first syllable on.
  const mixed = (index * 61_543 + 12_347) % length ** 4;
  return [3, 2, 1, 0].map(place => syllables[Math.floor(mixed / length ** place) % length]).join('');
}

/** The separator of words. */
export function spaceOf(text: Text): string {
  return languages[text].space;
}

function split(words: string): string[] {
  return words.trim().split(/\s+/);
}
