import { getDocumentProxy } from "unpdf";

/** The text of a PDF, page by page. Pictures of text have none. */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  const document = await getDocumentProxy(bytes, { verbosity: 0 }).catch((error: unknown) => {
    throw error instanceof Error && error.name === "PasswordException"
      ? new Error("it is encrypted, and needs a password")
      : error;
  });
  const pages: string[] = [];
  try {
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
      pages.push(`<!-- Page ${number} -->\n${text.trim() || "(no text on this page)"}`);
      page.cleanup();
    }
  } finally {
    await document.cleanup();
  }
  return pages.join("\n\n");
}
