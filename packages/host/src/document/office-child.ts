import { answer, wholeOf } from "./answer.ts";
import { readDocx } from "./format/docx.ts";
import { readOds } from "./format/ods.ts";
import { readOdt } from "./format/odt.ts";
import { readPptx } from "./format/pptx.ts";
import { rtfText } from "./format/rtf.ts";
import { readXlsx } from "./format/xlsx.ts";

const readers: Readonly<Record<string, (path: string) => Promise<string> | string>> = {
  rtf: (path) => rtfText(wholeOf(path).toString("latin1")),
  docx: readDocx,
  odt: readOdt,
  odp: readOdt,
  ods: readOds,
  pptx: readPptx,
  xlsx: readXlsx,
};

await answer((path, ending) => {
  const read = readers[ending];
  if (!read) throw new Error(`the format before .${ending}x is not understood; save it as .${ending}x first`);
  return read(path);
});
