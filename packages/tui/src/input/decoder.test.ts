import { expect, test } from "bun:test";
import { plainText } from "@pith/kit";
import fc from "fast-check";
import { createDecoder, type DecodedEvent } from "./decoder.ts";

const brief = (heard: DecodedEvent) =>
  heard.type === "key"
    ? heard.combo + (heard.text ? `=${heard.text}` : "") + (heard.phase === "press" ? "" : `/${heard.phase}`)
    : heard.type === "paste"
      ? `paste:${heard.text}`
      : heard.type;

const read = (text: string, expects: (type: string) => boolean = () => false) => {
  const decoder = createDecoder(expects);
  return [...decoder.feed(text), ...decoder.flush()].map(brief);
};

const samples: Record<string, string[]> = {
  a: ["a=a"], A: ["shift+a=A"], "ö": ["ö=ö"], "👨‍👩‍👧": ["👨‍👩‍👧=👨‍👩‍👧"], " ": ["space= "], "\r": ["enter"],
  "\t": ["tab"], "\x7f": ["backspace"], "\x01": ["ctrl+a"], "\x1a": ["ctrl+z"], "\x00": ["ctrl+space"],
  "\x1f": ["ctrl+_"], "\x1b[A": ["up"], "\x1bOA": ["up"], "\x1b[1;5C": ["ctrl+right"], "\x1b[1;6D": ["ctrl+shift+left"],
  "\x1b[3~": ["delete"], "\x1b[5;3~": ["alt+pageup"], "\x1b[Z": ["shift+tab"], "\x1bb": ["alt+b"],
  "\x1b\x7f": ["alt+backspace"], "\x1b\r": ["alt+enter"], "\x1b\x1b[A": ["alt+up"], "\x1b[97;5u": ["ctrl+a"],
  "\x1b[97:65;2u": ["shift+a=A"], "\x1b[27;5;13~": ["ctrl+enter"], "\x1b[13;2u": ["shift+enter"],
  "\x1b[97;1:3u": ["a/release"], "\x1b[57399;1u": ["0=0"], "\x1b[1;1:2A": ["up/repeat"], "\x1b[I": ["focus"],
  "\x1b[<0;5;7M": [], "\x1bOP": ["f1"], "\x1b[24~": ["f12"], "\x1b[99;9u": ["super+c"],
  "\x1b[200~a\x1b[2Jb\r\nc\x1b[201~": ["paste:a\x1b[2Jb\nc"], "\x1b": ["escape"], "\x1b[": ["alt+["],
  "\x1b]": ["alt+]"], "\x1b[?62;4c": ["device"], "\x1b[?2026;2$y": ["mode"], "\x1b[?5u": ["keyboard"],
  "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\": ["colour"], "\x1b]11;rgb:ff/ff/ff\x07": ["colour"],
  "\x1b]99;i=pith;\x1b\\": ["notification"], "\x1b[?997;1n": ["appearance"], "\x1b[48;24;80;0;0t": ["size"],
  "\x1b_Gi=1;OK\x1b\\": [], "\x1bP>|kitty(0.40)\x1b\\": [], "\x1b[1;2R": ["shift+f3"],
}; // biome-ignore format: a table

// Sequences as the terminals send them that are named on the left.
const dialects: Record<string, Record<string, string>> = {
  "Linux console": { "\x1b[[A": "f1", "\x1b[[E": "f5", "\x1b[17~": "f6", "\x1b[1~": "home", "\x1b[4~": "end" },
  rxvt: {
    "\x1b[7~": "home", "\x1b[8~": "end", "\x1b[a": "shift+up", "\x1b[d": "shift+left", "\x1bOa": "ctrl+up",
    "\x1bOc": "ctrl+right", "\x1b[3$": "shift+delete", "\x1b[3^": "ctrl+delete", "\x1b[7@": "ctrl+shift+home",
    "\x1b[11~": "f1",
  },
  vt220: {
    "\x1b[25~": "f13", "\x1b[28~": "f15", "\x1b[34~": "f20", "\x1bOM": "enter", "\x1bOj": "*=*", "\x1bOp": "0=0",
    "\x1bOy": "9=9",
  },
  xterm: {
    "\x1bOH": "home", "\x1bOF": "end", "\x1b[1;2P": "shift+f1", "\x1bO5P": "ctrl+f1", "\x1b[15;5~": "ctrl+f5",
    "\x1b[1;9A": "super+up", "\x1b[27;6;90~": "ctrl+shift+z", "\x1b[27;2;65~": "shift+a=A", "\x1b[27;5;9~": "ctrl+tab",
    "\x1b[E": "clear",
  },
  kitty: {
    "\x1b[45:95;6u": "ctrl+_", "\x1b[44:60;4u": "alt+<", "\x1b[1089::99;5u": "ctrl+c", "\x1b[1089;1u": "с=с",
    "\x1b[1089:1057;2u": "shift+с=С", "\x1b[49:33;2u": "!=!", "\x1b[57376;1u": "f13", "\x1b[57398;1u": "f35",
    "\x1b[57427;1u": "clear", "\x1b[13;129u": "enter", "\x1b[57441;2u": "", "\x1b[1;1:3A": "up/release",
    "\x1b[3;5:2~": "ctrl+delete/repeat", "\x1b[97;1;228u": "a=ä", "\x1b[55296;1u": "",
  },
  "Alt with a letter": { "\x1bX": "alt+shift+x", "\x1b^": "alt+^", "\x1bö": "alt+ö", "\x1bO": "alt+shift+o" },
  "nothing that was asked for": {
    "\x1b[0;5;7M": "", "\x1b[<66;5;7M": "", "\x1b[<128;5;7M": "", "\x1b[<M": "", "\x1b[M !!": "", "\x1b[>0;276;0c": "",
    "\x1bP!|00\x1b\\": "", "\x1b[8;24;80t": "",
  },
}; // biome-ignore format: a table

test("keys are the same keys in every terminal's dialect", () => {
  for (const [terminal, keys] of Object.entries(dialects))
    for (const [bytes, expected] of Object.entries(keys))
      expect([terminal, bytes, read(bytes).join()]).toEqual([terminal, bytes, expected]);
});

test("every key, paste and answer is understood", () => {
  for (const [bytes, expected] of Object.entries(samples)) expect([bytes, read(bytes)]).toEqual([bytes, expected]);
  expect(read("\x1b[12;40R", (type) => type === "position")).toEqual(["position"]);
  expect(read("a👨‍👩‍👧b")).toEqual(["a=a", "👨‍👩‍👧=👨‍👩‍👧", "b=b"]);
});

test("a sequence split at any byte is the same sequence", () => {
  const spoken = Object.values(dialects).flatMap((keys) =>
    Object.entries(keys).map(([bytes, each]) => [bytes, each === "" ? [] : [each]] as const),
  );
  for (const [bytes, expected] of [...Object.entries(samples), ...spoken]) {
    if (bytes === "\x1bO" || bytes.length < 2 || ["\x1b[", "\x1b]", "👨‍👩‍👧"].includes(bytes)) continue;
    for (let at = 1; at < bytes.length; at++) {
      const decoder = createDecoder();
      expect([...decoder.feed(bytes.slice(0, at)), ...decoder.feed(bytes.slice(at))].map(brief)).toEqual(expected);
    }
    const decoder = createDecoder();
    expect([...bytes].flatMap((byte) => decoder.feed(byte)).map(brief)).toEqual(expected);
  }
});

test("no answer of a terminal, however cut, ever types a letter", () => {
  const answers = [
    "\x1b[?62;4;22c",
    "\x1b[?2026;2$y",
    "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\",
    "\x1b[?1u",
    "\x1bP>|x(1)\x1b\\",
    "\x1b_Gi=31;OK\x1b\\",
    "\x1b]99;i=p:p=?;a=b\x07",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...answers), { maxLength: 8 }), fc.array(fc.nat(6)), (parts, cuts) => {
      const decoder = createDecoder();
      let rest = parts.join("");
      const heard: DecodedEvent[] = [];
      for (const cut of cuts) {
        heard.push(...decoder.feed(rest.slice(0, cut)));
        rest = rest.slice(cut);
      }
      heard.push(...decoder.feed(rest));
      expect(heard.filter((each) => each.type === "key")).toEqual([]);
      // Version and graphics are never asked for: an answer all the same is dropped.
      expect(heard.length).toBe(parts.filter((part) => part[1] !== "P" && part[1] !== "_").length);
    }),
  );
});

test("a broken or endless sequence is dropped and the next key arrives", () => {
  expect(read("\x1b[12\x1b[A")).toEqual(["up"]);
  expect(read(`\x1b[${"1;".repeat(300)}\x1b[Bx`).at(-1)).toBe("x=x");
  expect(read("\x1b]11;rgb\x1b[A")).toEqual(["up"]);
  expect(read("\x1b[?2026;\x1b[A")).toEqual(["up"]);
});

test("any bytes at all are survived", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 20 })), (chunks) => {
      const decoder = createDecoder();
      const heard = [...chunks.flatMap((chunk) => decoder.feed(chunk)), ...decoder.flush()];
      const texts = heard.flatMap((one) => (one.type === "key" ? [one.text] : []));
      expect(texts).toEqual(texts.map(plainText));
    }),
  );
});
