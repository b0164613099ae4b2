/** Places in the documents, as pages link to them. */
import { findDocument } from '../../src/help/documents.ts'
import { sectionsOf } from '../../src/help/sections.ts'

/** @param path of a document, with a heading in it: `pages#alerts` */
export function hasHelpPlace(path: string): boolean {
  const [name = '', anchor] = path.split('#')
  const found = findDocument(name)
  return found !== null && (anchor === undefined || sectionsOf(found.text).some((each) => each.anchor === anchor))
}
