// Token counts of real vocabularies; large, so loaded only on use.
export type Tokenizer = (text: string) => number;

export const tokenizers: Readonly<Record<"gpt" | "llama", () => Promise<Tokenizer>>> = {
  async gpt() {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    return (text) => countTokens(text, { disallowedSpecial: new Set() });
  },
  async llama() {
    const { default: llama } = await import("llama3-tokenizer-js");
    return (text) => llama.encode(text, { bos: false, eos: false }).length;
  },
};

/** Texts of every kind that a coding agent sends, each some hundred tokens; `at` makes each one another. */
export const samples: Readonly<Record<string, (at: number) => string>> = {
  prose: (at) =>
    `Attempt ${at}: the cache is asked before the network, because most readers open the same page again within a ` +
    "minute. When an entry has grown old it is still shown, and a fresh copy is fetched behind it; whoever waits for " +
    "the truth presses reload. We considered writing every visit to disk at once. It kept laptops awake, and nobody " +
    "noticed the difference, so visits are now collected and written together when the machine is idle anyway. ".repeat(
      2,
    ),
  code: (at) =>
    `export async function fetchPage${at}(url: URL, { retries = 3, signal }: FetchOptions = {}): Promise<Page> {\n` +
    "  for (let attempt = 0; attempt <= retries; attempt++) {\n    const response = await fetch(url, { signal });\n" +
    "    if (response.ok) return { body: await response.text(), etag: response.headers.get('etag') ?? undefined };\n" +
    "    if (response.status < 500) throw new HttpError(response.status, url.pathname);\n" +
    "    await sleep(2 ** attempt * baseDelayMs);\n  }\n  throw new TimeoutError(url.href);\n}\n".repeat(2),
  python: (at) =>
    `class Ledger${at}:\n    def __init__(self, path: Path) -> None:\n        self._rows: dict[str, Decimal] = {}\n` +
    "        with path.open(encoding='utf-8') as handle:\n            for line in csv.DictReader(handle):\n" +
    "                self._rows[line['account']] = Decimal(line['amount'])\n\n    def total(self) -> Decimal:\n" +
    "        return sum(self._rows.values(), start=Decimal(0))\n".repeat(3),
  json: (at) =>
    JSON.stringify(
      Array.from({ length: 8 }, (_, row) => ({
        id: at * 100 + row,
        name: `package-${row}`,
        version: `1.${row}.${at}`,
        tags: ["stable", "typed"],
        size: 10_240 * row,
        homepage: `https://example.org/packages/${row}`,
        private: row % 2 === 0,
      })),
      null,
      2,
    ),
  chinese: (at) =>
    `第${at}次尝试:缓存先于网络被查询,因为大多数读者会在一分钟之内再次打开同一个页面。当条目变旧时,它仍然会被显示,` +
    "同时在后台获取新的副本。" +
    "我们曾经考虑把每次访问立即写入磁盘,但这样会让笔记本电脑无法休眠,而且没有人注意到差别。".repeat(3),
  japanese: (at) =>
    `${at}回目の試み:キャッシュはネットワークより先に問い合わせられます。` +
    "ほとんどの読者は一分以内に同じページをもう一度開くからです。" +
    "古くなった項目もそのまま表示され、新しいコピーは裏で取得されます。".repeat(4),
  log: (at) =>
    Array.from({ length: 12 }, (_, row) => {
      const time = `2026-03-0${(row % 9) + 1}T12:${10 + row}:0${at % 10}.123Z`;
      return `${time} INFO  worker-${row} handled GET /api/items/${row * 37} in ${row * 13}ms`;
    }).join("\n"),
};
