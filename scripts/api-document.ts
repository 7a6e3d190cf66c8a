import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The library's doors: their import names and their source files. */
const DOORS = [
  { name: 'nightjar', file: 'src/index.ts' },
  { name: 'nightjar/node', file: 'src/node.ts' },
  { name: 'nightjar/web', file: 'src/web.ts' },
] as const;

const ERRORS = 'Errors';
/** Chapters, and the source files that belong to each: the first match counts. Errors have their own chapter. */
const CHAPTERS: readonly (readonly [string, RegExp])[] = [
  ['Making and opening a wallet', /^(index|wallet\/(create-wallet|environment))\.ts$/],
  [
    'An open wallet',
    /^wallet\/(wallet|views|chain|addresses|account-tags|notes|contacts|client-attributes|secrets|model|runtime\/.*)\.ts$/,
  ],
  ['Paying', /^wallet\/(payment-requests|payments|payment-drafts|spend\/.*)\.ts$/],
  ['Payments in and out, balances', /^wallet\/projection\//],
  ['Proofs and signed messages', /^wallet\/proofs\//],
  ['Two halves, one offline', /^wallet\/offline/],
  ['A group of signers', /^wallet\/(multisig\/|group-api)/],
  ['Hardware', /^(wallet\/device|device)\//],
  ['Views of a wallet', /^wallet\/api\.ts$/],
  ['Addresses, amounts and URIs', /^protocol\//],
  ['A daemon', /^(daemon|wallet2)\//],
  ['Journals', /^(storage\/|wallet\/ports)/],
  ['Scanning', /^(scan\/|crypto\/field-module)/],
  ['Shared forms', /./],
  [ERRORS, /^/],
];

const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;
/** Inherited members that every TypeScript programmer knows. */
const OF_ERRORS = new Set(['name', 'message', 'stack', 'cause', 'prototype']);

/** The documentation of the library's doors. */
export interface Api {
  /** `docs/api.md`: every name of the doors with its signature and its doc comment. */
  readonly document: string;
  /** Types that a signature uses and that cannot be imported. */
  readonly unnamed: readonly string[];
}

interface Entry {
  readonly door: string;
  readonly chapter: string;
  readonly name: string;
  /** Index into {@link KINDS}. */
  readonly kind: number;
  readonly signature: string;
  readonly text: string;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Reads the doors with the compiler. */
export function readApi(): Api {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    DOORS.map(({ file }) => root + file),
    options,
  );
  const checker = program.getTypeChecker();
  const doors = DOORS.map(({ name, file }) => {
    const source = program.getSourceFile(root + file)!;
    const module = checker.getSymbolAtLocation(source)!;
    const exported = checker.getExportsOfModule(module).filter((symbol) => isPublic(checker, module, symbol));
    return { name, about: leading(source), entries: exported.map((symbol) => entryOf(checker, name, symbol)) };
  });
  const entries = doors.flatMap((door) => door.entries);
  const known = new Set(entries.map(({ name }) => name));
  const ours = new Set(program.getSourceFiles().flatMap((source) => typesOf(checker, source)));
  const names = new Set(entries.flatMap(({ signature }) => signature.match(/\b[A-Z]\w*\b/g) ?? []));
  const parts = doors.map(
    ({ name, about, entries }) => `## \`${name}\`\n\n${about}\n\n${contents(entries)}\n\n${chapters(entries)}`,
  );
  return {
    document: `# The library\n\n<!-- Written by \`npx tsx scripts/api.ts\` from the doc comments of src/index.ts, src/node.ts and src/web.ts. -->\n\n${parts.join('\n\n')}\n`,
    unnamed: [...names].filter((name) => ours.has(name) && !known.has(name)).sort(compare),
  };
}

/** Only types can be used of what a door re-exports with `export type *`; `@internal` exports are not for users of the library. */
function isPublic(checker: ts.TypeChecker, door: ts.Symbol, exported: ts.Symbol): boolean {
  if (door.exports?.has(exported.escapedName)) return true;
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  return (symbol.flags & ts.SymbolFlags.Type) !== 0 && !isInternal(symbol);
}

/** Names of the types that a source file exports. */
function typesOf(checker: ts.TypeChecker, source: ts.SourceFile): string[] {
  const module = source.fileName.startsWith(`${root}src/`) ? checker.getSymbolAtLocation(source) : undefined;
  if (module === undefined) return [];
  return checker.getExportsOfModule(module).flatMap((symbol) => (symbol.flags & ts.SymbolFlags.Type ? [symbol.getName()] : []));
}

/** The chapters that a door has, in their order, with their entries. */
const chaptersOf = (entries: readonly Entry[]): [string, Entry[]][] =>
  CHAPTERS.flatMap(([chapter]): [string, Entry[]][] => {
    const mine = entries.filter((entry) => entry.chapter === chapter);
    return mine.length === 0 ? [] : [[chapter, mine.sort((a, b) => a.kind - b.kind || compare(a.name, b.name))]];
  });

/** One line per chapter: its contents. */
function contents(entries: readonly Entry[]): string {
  const lines = chaptersOf(entries).map(
    ([chapter, mine]) => `| ${chapter} | ${mine.map(({ name }) => `[${name}](#${name.toLowerCase()})`).join(' · ')} |`,
  );
  return `| | |\n|---|---|\n${lines.join('\n')}`;
}

const chapters = (entries: readonly Entry[]): string =>
  chaptersOf(entries)
    .map(([chapter, mine]) => `### ${chapter}\n\n${mine.map(({ text }) => text).join('\n\n')}`)
    .join('\n\n');

/** The comment at the beginning of a file. */
function leading(source: ts.SourceFile): string {
  const comment = /^\s*\/\*\*([\s\S]*?)\*\//.exec(source.text)?.[1] ?? '';
  return comment.replace(/^ *\* ?/gm, '').trim();
}

function entryOf(checker: ts.TypeChecker, door: string, exported: ts.Symbol): Entry {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const name = exported.getName();
  const kind = kindOf(symbol.flags);
  const path = symbol.declarations?.[0]?.getSourceFile().fileName.slice(`${root}src/`.length) ?? '';
  const chapter = path.endsWith('/errors.ts') ? ERRORS : CHAPTERS.find(([, fits]) => fits.test(path))![0];
  const declared = signatureOf(checker, symbol, name, kind, isValue(exported));
  const lines = [`#### ${name}`, docOf(checker, symbol), `\`\`\`ts\n${declared}\n\`\`\``];
  const signature = declared.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/'[^']*'/g, '');
  return { door, chapter, name, kind, signature, text: lines.filter((line) => line !== '').join('\n\n') };
}

/** Index into {@link KINDS}. */
function kindOf(flags: ts.SymbolFlags): number {
  if (flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Variable)) return 0;
  if (flags & ts.SymbolFlags.Class) return 1;
  return flags & ts.SymbolFlags.Interface ? 2 : 3;
}

/** A doc comment: its text, errors and examples. `{@link x}` becomes `x`. */
function docOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const tags = symbol.getJsDocTags(checker).map(({ name, text: parts }) => {
    const text = ts.displayPartsToString(parts).trim();
    if (name === 'example') return text;
    return name === 'param' ? `- \`${text.split(' ')[0]}\`: ${text.split(' ').slice(1).join(' ')}` : `*${name}* ${text}`;
  });
  const plain = (words: string): string => words.replace(/\{@link ([\w.]+) ?\}/g, '`$1`').trim();
  return [text, ...tags]
    .map(plain)
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Shortens types to their names: file paths and internal aliases mean nothing to users of the library. */
const named = (text: string): string =>
  text.replace(/import\("[^"]*"\)\./g, '').replace(/\b(types|outputs|mining)\.(?=[A-Z])/g, '');

/** Whether an export can be used at run time, and not only as a type. */
const isValue = (exported: ts.Symbol): boolean =>
  !exported.declarations?.some((at) => ts.isExportSpecifier(at) && (at.isTypeOnly || at.parent.parent.isTypeOnly));

function signatureOf(checker: ts.TypeChecker, symbol: ts.Symbol, name: string, kind: number, value: boolean): string {
  const declaration = symbol.declarations?.[0];
  if (declaration === undefined) return name;
  if (kind === 0) {
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    const calls = type.getCallSignatures();
    if (calls.length === 0) return `const ${name}: ${named(checker.typeToString(type, declaration, FLAGS))}`;
    return calls.map((call) => `function ${name}${named(checker.signatureToString(call, declaration, FLAGS))}`).join('\n');
  }
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  if (kind === 3 && isDerived(declaration)) return `type ${name} =\n  | ${codesOf(type).join('\n  | ')};`;
  if (kind === 3 && !isAssembled(declaration))
    return declaration
      .getText()
      .replace(/^export /, '')
      .replace(/\n?\s*\/\*\*[\s\S]*?\*\//g, '');
  const members = type
    .getProperties()
    .filter((member) => isTold(member, kind === 1))
    .map((member) => memberOf(checker, member, declaration));
  if (kind === 1 && value && !isError(checker, type)) members.unshift(...constructorsOf(checker, symbol, declaration));
  if (kind === 3) return `type ${name} = {\n${members.join('\n')}\n}`;
  return `${kind === 1 ? 'class' : 'interface'} ${name}${parametersOf(declaration)}${extending(checker, type)} {\n${members.join('\n')}\n}`;
}

/** Whether an alias is composed of parts of other types, whose names say nothing to a reader: then its members are listed. */
function isAssembled(declaration: ts.Declaration): boolean {
  if (!ts.isTypeAliasDeclaration(declaration)) return false;
  const parts = ts.isIntersectionTypeNode(declaration.type) ? declaration.type.types : [declaration.type];
  return parts.some((part) => ts.isTypeReferenceNode(part) && /^(Pick|Omit|Partial)$/.test(part.typeName.getText()));
}

/** Whether an alias takes its values from a list or a table that cannot be imported: then the values are listed. */
const isDerived = (declaration: ts.Declaration): boolean =>
  ts.isTypeAliasDeclaration(declaration) && /\btypeof\b/.test(declaration.type.getText());

const codesOf = (type: ts.Type): string[] =>
  (type.isUnion() ? type.types : [type]).map((part) => (part.isStringLiteral() ? `'${part.value}'` : ''));

function parametersOf(declaration: ts.Declaration): string {
  const parameters =
    ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration) ? declaration.typeParameters : undefined;
  return parameters === undefined ? '' : `<${parameters.map((parameter) => parameter.getText()).join(', ')}>`;
}

/** Base classes that are shown by name. Members of unnamed and internal ones are listed instead. */
function extending(checker: ts.TypeChecker, type: ts.Type): string {
  const bases = type.isClassOrInterface() ? (checker.getBaseTypes(type) ?? []) : [];
  const shown = bases.filter(
    (base) => base.symbol?.getName() === 'CodedError' || (base.isClassOrInterface() && !isInternal(base.symbol)),
  );
  return shown.length === 0 ? '' : ` extends ${shown.map((base) => named(checker.typeToString(base))).join(', ')}`;
}

const isError = (checker: ts.TypeChecker, type: ts.Type): boolean =>
  (type.isClassOrInterface() ? (checker.getBaseTypes(type) ?? []) : []).some((base) =>
    /^(CodedError|Error)$/.test(base.symbol?.getName()),
  );

/** A class's constructors, if users of the library may call them. */
function constructorsOf(checker: ts.TypeChecker, symbol: ts.Symbol, at: ts.Node): string[] {
  const calls = checker.getTypeOfSymbol(symbol).getConstructSignatures();
  const open = calls.filter(({ declaration }) => {
    if (declaration === undefined) return true;
    const hidden = ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
    return !hidden && !ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === 'internal');
  });
  return open.map((call) => `  constructor${named(checker.signatureToString(call, at, FLAGS)).replace(/: \w+$/, '')};`);
}

const isInternal = (symbol: ts.Symbol): boolean => symbol.getJsDocTags().some(({ name }) => name === 'internal');

/** Whether a member is documented: private and internal ones, and those common to all errors, are not. */
function isTold(member: ts.Symbol, ofClass: boolean): boolean {
  const declaration = member.declarations?.[0];
  if (declaration === undefined || isInternal(member) || (ofClass && OF_ERRORS.has(member.getName()))) return false;
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
