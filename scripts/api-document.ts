import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The library's doors, as they are imported and as they lie here. */
const DOORS = [
  { name: 'nightjar', file: 'src/index.ts' },
  { name: 'nightjar/node', file: 'src/node.ts' },
  { name: 'nightjar/web', file: 'src/web.ts' },
] as const;

const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;
/** Inherited, and known to whoever writes TypeScript. */
const OF_ERRORS = new Set(['name', 'message', 'stack', 'cause', 'prototype']);

/** `docs/api.md`: every name of the library's doors with its signature and its doc comment. */
export function apiDocument(): string {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    DOORS.map(({ file }) => root + file),
    options,
  );
  const checker = program.getTypeChecker();
  const parts = DOORS.map(({ name, file }) => {
    const source = program.getSourceFile(root + file)!;
    const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(source)!);
    const entries = symbols.map((symbol) => entryOf(checker, symbol)).sort((a, b) => a.order - b.order || compare(a.name, b.name));
    const groups = KINDS.flatMap((kind, order) => {
      const mine = entries.filter((entry) => entry.order === order);
      return mine.length === 0 ? [] : [`### ${kind}\n\n${mine.map(({ text }) => text).join('\n\n')}`];
    });
    return `## \`${name}\`\n\n${leading(source)}\n\n${groups.join('\n\n')}`;
  });
  return `# The library\n\n<!-- Written by \`npx tsx scripts/api.ts\` from the doc comments of src/index.ts, src/node.ts and src/web.ts. -->\n\n${parts.join('\n\n')}\n`;
}

const KINDS = ['Functions', 'Classes', 'Interfaces', 'Types'];
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface Entry {
  readonly name: string;
  /** Index into {@link KINDS}. */
  readonly order: number;
  readonly text: string;
}

/** The comment that a file begins with. */
function leading(source: ts.SourceFile): string {
  const comment = /^\s*\/\*\*([\s\S]*?)\*\//.exec(source.text)?.[1] ?? '';
  return comment.replace(/^ *\* ?/gm, '').trim();
}

function entryOf(checker: ts.TypeChecker, exported: ts.Symbol): Entry {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const name = exported.getName();
  const { flags } = symbol;
  const order = flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Variable) ? 0 : flags & ts.SymbolFlags.Class ? 1 : 2;
  const kind = order === 2 && !(flags & ts.SymbolFlags.Interface) ? 3 : order;
  const lines = [`#### ${name}`, docOf(checker, symbol), `\`\`\`ts\n${signatureOf(checker, symbol, name, kind)}\n\`\`\``];
  return { name, order: kind, text: lines.filter((line) => line !== '').join('\n\n') };
}

/** A doc comment: its text, what is thrown, its examples. `{@link x}` becomes `x`. */
function docOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const tags = symbol.getJsDocTags(checker).map(({ name, text: parts }) => {
    const said = ts.displayPartsToString(parts).trim();
    if (name === 'example') return said;
    return name === 'param' ? `- \`${said.split(' ')[0]}\`: ${said.split(' ').slice(1).join(' ')}` : `*${name}* ${said}`;
  });
  const plain = (words: string): string => words.replace(/\{@link (\w+)\}/g, '`$1`').trim();
  return [text, ...tags].map(plain).filter((part) => part !== '').join('\n\n');
}

/** Types by their names alone: where a file lies says nothing to who imports the library. */
const named = (text: string): string => text.replace(/import\("[^"]*"\)\./g, '');

function signatureOf(checker: ts.TypeChecker, symbol: ts.Symbol, name: string, kind: number): string {
  const declaration = symbol.declarations?.[0];
  if (declaration === undefined) return name;
  if (kind === 0) {
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    const calls = type.getCallSignatures();
    if (calls.length === 0) return `const ${name}: ${named(checker.typeToString(type, declaration, FLAGS))}`;
    return calls.map((call) => `function ${name}${named(checker.signatureToString(call, declaration, FLAGS))}`).join('\n');
  }
  if (kind === 3) return declaration.getText().replace(/^export /, '').replace(/\n?\s*\/\*\*[\s\S]*?\*\//g, '');
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const members = type
    .getProperties()
    .filter((member) => isTold(member, kind === 1))
    .map((member) => memberOf(checker, member, declaration));
  const bases = (type as ts.InterfaceType).isClassOrInterface() ? (checker.getBaseTypes(type as ts.InterfaceType) ?? []) : [];
  // A base without a name of its own is told by its members.
  const told = bases.filter((base) => base.isClassOrInterface() || base.aliasSymbol === undefined).map((base) => named(checker.typeToString(base)));
  const extending = told.length === 0 ? '' : ` extends ${told.join(', ')}`;
  return `${kind === 1 ? 'class' : 'interface'} ${name}${extending} {\n${members.join('\n')}\n}`;
}

/** Whether a member is documented: private ones and those of every error are not. */
function isTold(member: ts.Symbol, ofClass: boolean): boolean {
  const declaration = member.declarations?.[0];
  if (declaration === undefined || (ofClass && OF_ERRORS.has(member.getName()))) return false;
  return !(ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) && !/^(__)?#/.test(member.getName());
}

function memberOf(checker: ts.TypeChecker, member: ts.Symbol, at: ts.Node): string {
  const type = checker.getTypeOfSymbolAtLocation(member, at);
  const optional = member.flags & ts.SymbolFlags.Optional ? '?' : '';
  const calls = member.flags & ts.SymbolFlags.Method ? type.getCallSignatures() : [];
  const lines =
    calls.length > 0
      ? calls.map((call) => `  ${member.getName()}${optional}${named(checker.signatureToString(call, at, FLAGS))};`)
      : [`  ${member.getName()}${optional}: ${named(checker.typeToString(type, at, FLAGS))};`];
  const doc = docOf(checker, member).replace(/\s*\n\s*/g, ' ');
  return [...(doc === '' ? [] : [`  /** ${doc} */`]), ...lines].join('\n');
}
