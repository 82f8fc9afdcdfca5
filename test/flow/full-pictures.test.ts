import { expect, test } from "bun:test";
import { full } from "../full.ts";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";

/** A red square of 64 × 32 pixels. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAAAgCAIAAAAt/+nTAAAAUElEQVR4nO3RwQkAMAwDMe+/dDtEH6Jw4AES3c729fwFPaAJK6AJK6AJK6AJK6AJK6AJK6AJK6AJK6AJK6AJK6AJK6AJK6AJK6AJKzCv+LILMsP4arzFOvsAAAAASUVORK5CYII=",
  "base64",
);
const reads = { calls: [{ tool: "read", input: { path: "red.png" } }] };
const images: Readonly<Record<string, readonly [env: Record<string, string>, sent: string]>> = {
  kitty: [{ TERM: "xterm-kitty" }, "\x1b_Ga=T,f=100,i=1,q=2,U=1,c=8,r=2"],
  iterm2: [{ TERM_PROGRAM: "iTerm.app" }, "\x1b]1337;File=inline=1;width=8;height=2"],
  sixel: [{ TERM: "foot" }, '\x1bP0;1;0q"1;1;64;32'],
};

for (const [protocol, [env, sent]] of Object.entries(images))
  test(`pictures of what is said and read are seen where the terminal shows them (${protocol})`, async () => {
    using dir = scratch();
    await Bun.write(dir.at("work/red.png"), png);
    const at = full(dir, ["--yolo", ...scripted(dir, reads, { text: "It is red." })], { env });
    await at.idle();
    at.type("look at @red.png\r");
    await at.sees("It is red.");
    await at.idle();
    expect(at.tape().match(/\[PNG picture, [^\]]*\]/g)).toHaveLength(2);
    expect(at.bytes()).toContain(sent);
    const before = at.bytes().length;
    at.resize(70, 30);
    await at.idle();
    await Bun.sleep(200);
    await at.idle();
    // Written again from the record, with its pixels.
    expect(at.tape().match(/\[PNG picture, [^\]]*\]/g)).toHaveLength(2);
    expect(at.bytes().slice(before)).toContain(protocol === "kitty" ? "\u{10eeee}" : sent);
    await at.leave();
  });

test("where no picture can be seen, words say that there is one, and a broken one harms nothing", async () => {
  using dir = scratch();
  await Bun.write(dir.at("work/red.png"), png.subarray(0, 70));
  for (const TERM of ["xterm-256color", "xterm-kitty"]) {
    const at = full(dir, ["--yolo", ...scripted(dir, reads, { text: "It is red." })], { env: { TERM } });
    await at.idle();
    at.type("look\r");
    await at.sees("It is red.");
    await at.idle();
    expect(at.bytes()).not.toContain("\x1b_Ga=T");
    await at.leave();
  }
});
