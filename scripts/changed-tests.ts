/** Selection of tests for a change. Pure. */

/** Files whose changes `bun test --changed` does not see, because it follows imports only. */
const CHANGES_EVERYTHING = [
  /^(?:package\.json|bun\.lock|bunfig\.toml|tsconfig\.json)$/,
  // Loaded before the tests, which do not import it.
  /^test\/support\/whole-values\.ts$/,
  // Data that tests read by their path.
  /^test\/(?!conformance\/|timings\.json$).*\.(?!ts$)\w+$/,
]

/** Folder of the recorded cases of Healthchecks, and of the tests that read them. */
const RECORDED_CASES = 'test/conformance/'

/**
 * Sources that only the composition of the program imports, and their tests. Every test that opens an app imports these sources, too, and
 * shows little about them. The paths of tests begin with one of these texts.
 */
const LEAVES: readonly (readonly [source: RegExp, tests: readonly string[]])[] = [
  [/^src\/http\/web\/(?:browser|pages|styles)\//, ['test/http/web/']],
  [/^src\/transports\/(?!index\.|transport\.)/, ['test/transports/', 'test/http/web/pages/integration']],
  [/^src\/cli\//, ['test/cli/']],
  [/^(?:docs\/|[A-Z]+\.md$)/, ['test/help/', 'test/http/web/pages/help.', 'test/config/setting-groups.']],
  [/^test\/conformance\//, [RECORDED_CASES]],
  [/^scripts\//, ['test/scripts/']],
  [/^(?:\.ci|bench|deploy|test-slow)\/|^test\/timings\.json$/, []],
]

/** Tests that read sources and documents by their paths. They take a second together. */
const READERS = [
  'test/architecture.test.ts',
  'test/help/documents.test.ts',
  'test/http/web/assets.test.ts',
  'test/security/comparisons.test.ts',
  'test/support/store-tests.test.ts',
]

/**
 * @param changed paths below the folder of the project
 * @param base commit with which the files are compared
 * @returns arguments of each run of `bun test`
 */
export function testRuns(changed: readonly string[], base: string): readonly (readonly string[])[] {
  if (changed.length === 0) return []
  if (changed.some((path) => CHANGES_EVERYTHING.some((pattern) => pattern.test(path)))) return [[]]
  const asked = changed.map(testsOf)
  const reached = asked.every((tests) => tests !== null) ? asked.flat() : null
  const read = changed.some((path) => path.startsWith(RECORDED_CASES)) ? [...READERS, RECORDED_CASES] : READERS
  const isNone = reached?.length === 0
  return [...(isNone ? [] : [[`--changed=${base}`, ...new Set(reached ?? [])]]), read]
}

/** Returns the tests of a leaf, or the test that has changed itself; null for a source that others import. */
function testsOf(path: string): readonly string[] | null {
  if (/^test\/.*\.test\.ts$/.test(path)) return [path]
  return LEAVES.find(([source]) => source.test(path))?.[1] ?? null
}
