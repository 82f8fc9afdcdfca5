// What these two bring along takes longer to load than all others take to read: they have a program of their own.
import { answer, wholeOf } from "./answer.ts";

await answer(async (path, ending) => {
  if (ending === "epub") return (await import("./format/epub.ts")).readEpub(path);
  return (await import("./format/pdf.ts")).pdfText(new Uint8Array(wholeOf(path)));
});
