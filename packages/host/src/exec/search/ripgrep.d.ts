declare module "@vscode/ripgrep-*" {
  const path: string;
  export default path;
}
