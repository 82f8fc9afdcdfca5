export { createDecoder } from "./input/decoder.ts";
export type { InputEvent, KeyEvent } from "./input/event.ts";
export { createPictures, type InlinePicture, loadPicture } from "./picture/picture.ts";
export type { Screen } from "./screen/base.ts";
export { cursorMark, type Pane, rowsOf, type View } from "./screen/frame.ts";
export { createLinearScreen } from "./screen/linear.ts";
export type { OverlayHandle } from "./screen/overlay.ts";
export { systemTimers, type Timers } from "./screen/scheduler.ts";
export { createScreen, frameLog, type ScreenOptions } from "./screen/screen.ts";
export { createScrollScreen } from "./screen/scroll.ts";
export { runGallery } from "./story/gallery.ts";
export type { Story } from "./story/story.ts";
export { restoreOnExit, suspendable } from "./terminal/lifetime.ts";
export type { TerminalFact } from "./terminal/negotiation.ts";
export { createTerminal, type Terminal, type TerminalOptions, type TtyIn, type TtyOut } from "./terminal/terminal.ts";
export { fuzzy } from "./text/fuzzy.ts";
export { createHighlighter } from "./text/highlight.ts";
export {
  type MarkdownToken,
  type MarkdownTokens,
  markdownRows,
  readMarkdown,
  unentity,
} from "./text/markdown.ts";
export { createMarkdownStream, type MarkdownStream } from "./text/stream.ts";
export * from "./theme.ts";
export { createTranscript, type Transcript, type TranscriptBlock } from "./transcript/transcript.ts";
export type { Completer, Completion } from "./widget/editor/complete.ts";
export { createEditor, type Editor, type EditorDraft } from "./widget/editor/editor.ts";
export type { TextFold } from "./widget/editor/fold.ts";
export { defaultKeymap, type EditorAction, type Keymap } from "./widget/editor/keymap.ts";
export { createList, type List, type ListItem } from "./widget/list.ts";
export { createScrollPane } from "./widget/scroll-pane.ts";
export { createSpinner } from "./widget/spinner.ts";
export { type StatusPart, statusRow } from "./widget/status.ts";
