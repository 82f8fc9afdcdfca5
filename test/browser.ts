const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--remote-debugging-port=0",
];

/** A page in Chromium, driven over its debugging socket. */
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

  /** Opens an address in a new browser with an empty profile. */
  static async open(url: string, profile: string): Promise<Page> {
    const command = ["chromium", ...flags, `--user-data-dir=${profile}`, url];
    const child = Bun.spawn(command, { stderr: "pipe", stdout: "ignore" });
    let output = "";
    for await (const bytes of child.stderr) {
      output += new TextDecoder().decode(bytes);
      if (output.includes("DevTools listening")) break;
    }
    const base = /ws:\/\/([^/]+)\//.exec(output)?.[1];
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
    // A new tab begins with a blank page, which is complete as well.
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

  /** Waits until the expression is true. */
  async sees(expression: string): Promise<void> {
    for (const end = performance.now() + 30_000; (await this.run(expression)) !== true; await Bun.sleep(20))
      if (performance.now() > end) throw new Error(`the page never came to: ${expression}`);
  }

  close(): void {
    this.#socket.close();
    this.#child.kill();
  }
}
