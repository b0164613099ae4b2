/** `/docs`: this repository's documents as pages, and a search. The text is built into the program. */

import { Refusal } from '../../../../domain/errors.ts'
import type { PageDeps } from '../../page.ts'
import type { PageAnswer, ReferenceContent, Route, Visit } from '../../route.ts'
import { publicRoute } from '../new-route.ts'

const CACHED_SECONDS = 60

export function helpRoutes(deps: PageDeps): readonly Route[] {
  /** rendered documents, keyed by name; they never change while the process is running */
  const written = new Map<string, ReferenceContent>()
  const rules = { cache: { seconds: CACHED_SECONDS } }
  return [
    publicRoute('GET', '/docs', listDocuments, rules),
    publicRoute('GET', '/docs/search', (visit) => answerSearch(deps, visit), rules),
    publicRoute('GET', '/docs/:name', (visit) => answerDocument(written, visit), rules),
  ]
}

async function listDocuments({ site }: Visit): Promise<PageAnswer> {
  const { helpPage } = await views()
  return helpPage(site.href)
}

async function answerSearch({ budget }: PageDeps, { url, site }: Visit): Promise<PageAnswer> {
  const [{ helpSearchPage }, { searchHelp }] = await Promise.all([views(), search()])
  const query = url.searchParams.get('q') ?? ''
  return helpSearchPage(site.href, query, await searchHelp(query, budget))
}

async function answerDocument(written: Map<string, ReferenceContent>, visit: Visit): Promise<PageAnswer> {
  const name = visit.params.name ?? ''
  const known = written.get(name)
  if (known) return known
  const [{ helpDocumentPage }, { findDocument }] = await Promise.all([views(), documents()])
  const document = findDocument(name)
  if (document === null) throw new Refusal('not-found', 'not found')
  const page = helpDocumentPage(document, visit.site.href)
  written.set(name, page)
  return page
}

// The documents are loaded on first use. They are half a megabyte in size, and most processes never show them.
const views = () => import('./views.ts')
const documents = () => import('../../../../help/documents.ts')
const search = () => import('../../../../help/search.ts')
