// The side door for whoever shows Markdown and opens no screen.
export { createMarkdownStream, type MarkdownStream } from "./text/stream.ts";
