// A session with a server is recorded, and played again without it.
import { expect, test } from "bun:test";
import { benches, serve } from "../../packages/llm/src/test/index.ts";
import { envOf, pith, program } from "../pith.ts";
import { run, scratch } from "../scratch.ts";

test.each(["openai-completions", "ollama-chat"])(
  "%s: a recorded session plays again, also on a bad day",
  async (api) => {
    using dir = scratch();
    const fake = benches[api]?.fake;
    if (!fake) throw new Error(api);
    dir.write({ "work/notes.txt": "alpha\n", "quick.yml": "retry:\n  baseDelayMs: 1\n" });
    const prompt = ["-p", "what is in notes.txt?", "--config", dir.at("quick.yml")];
    const played = ["--model", `cassette/${dir.at("tape")}`];
    {
      using served = serve(
        fake,
        { text: "I look.", calls: [{ id: "call_one12", name: "read", args: { path: "notes.txt" } }] },
        { text: "It says alpha." },
      );
      const { origin } = new URL(served.url);
      const way: Record<string, string> =
        api === "ollama-chat" ? { OLLAMA_HOST: origin } : { OPENAI_BASE_URL: `${origin}/v1` };
      const model = api === "ollama-chat" ? "ollama/qwen3" : "openai/gpt-5.5";
      const record = [...prompt, "--model", model, "--record", dir.at("tape")];
      const env = { ...way, OPENAI_API_KEY: "key-for-tests" };
      expect(await pith(dir, record, { env })).toMatchObject({ code: 0, out: "It says alpha.\n" });
      expect(await pith(dir, record, { env })).toMatchObject({ code: 2, err: expect.stringContaining("already") });
    }
    expect(await pith(dir, [...prompt, ...played])).toMatchObject({ code: 0, out: "It says alpha.\n" });
    for (const seed of ["3", "4"])
      expect(await pith(dir, [...prompt, ...played, "--chaos", seed])).toMatchObject({
        code: 0,
        out: "It says alpha.\n",
      });
    const other = await pith(dir, ["-p", "something else", ...played]);
    expect(other).toMatchObject({ code: 1, out: "" });
    expect(other.err).toContain("was not recorded");
  },
);

test("a disk that is full ends the recording with one line, and not the work", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  const fake = benches["openai-completions"]?.fake;
  if (!fake) throw new Error("no server");
  using served = serve(fake, { text: "Ready." });
  const limited = `trap '' XFSZ; ulimit -f 2; exec "$0" "$@"`;
  const argv = [...program, "-p", "hi", "--no-session", "--model", "openai/gpt-5.5", "--record", dir.at("tape")];
  const { origin } = new URL(served.url);
  const ran = await run(["/bin/sh", "-c", limited, ...argv], {
    cwd: dir.at("work"),
    env: envOf(dir, { OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: "key-for-tests" }),
  });
  expect(ran).toMatchObject({ code: 0, out: "Ready.\n" });
  expect(ran.err.match(/Nothing more is recorded/g)).toHaveLength(1);
  expect((await pith(dir, ["-p", "hi", "--model", `cassette/${dir.at("tape")}`])).err).toContain(
    "nothing was recorded",
  );
});
