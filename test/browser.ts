/** A page in a browser, spoken to over its debugging socket. */
export class Page {
  readonly #child: Bun.Subprocess;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  readonly complaints: string[] = [];
  #count = 0;

  private constructor(child: Bun.Subprocess, socket: WebSocket) {
    this.#child = child;
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data));
      if (message.id) this.#waiting.get(message.id)?.(message.result);
      else if (/exceptionThrown|Log.entryAdded|Network.requestWillBeSent/.test(message.method))
        this.complaints.push(JSON.stringify(message.params));
    };
  }

  /** Opens an address, with a profile of its own. */
  static async open(url: string, profile: string): Promise<Page> {
    const quiet = [
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ];
    const flags = [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      ...quiet,
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
    ];
    const child = Bun.spawn(["chromium", ...flags, url], { stderr: "pipe", stdout: "ignore" });
    let said = "";
    for await (const bytes of child.stderr) {
      said += new TextDecoder().decode(bytes);
      if (said.includes("DevTools listening")) break;
    }
    const base = /ws:\/\/([^/]+)\//.exec(said)?.[1];
    const targets = (await (await fetch(`http://${base}/json/list`)).json()) as {
      type: string;
      webSocketDebuggerUrl: string;
    }[];
    const socket = new WebSocket(targets.find((target) => target.type === "page")?.webSocketDebuggerUrl ?? "");
    await new Promise((opened) => {
      socket.onopen = opened;
    });
    const page = new Page(child, socket);
    for (const area of ["Runtime", "Log", "Network"]) await page.call(`${area}.enable`);
    // The blank page that stands there first is complete too.
    const ready = "location.protocol !== 'about:' && document.readyState === 'complete'";
    for (let wait = 0; wait < 500 && (await page.run(ready)) !== true; wait++) await Bun.sleep(20);
    return page;
  }

  call(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#count;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((done) => this.#waiting.set(id, done));
  }

  async run(expression: string): Promise<unknown> {
    const answer = (await this.call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })) as {
      result?: { value?: unknown };
    };
    return answer.result?.value;
  }

  /** Waits until the expression holds; one that never does is told by its words. */
  async sees(expression: string): Promise<void> {
    for (const end = performance.now() + 30_000; (await this.run(expression)) !== true; await Bun.sleep(20))
      if (performance.now() > end) throw new Error(`the page never came to: ${expression}`);
  }

  close(): void {
    this.#socket.close();
    this.#child.kill();
  }
}
