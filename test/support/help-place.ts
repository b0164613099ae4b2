/** Sections of the documents, as pages link to them. */
import { findDocument } from '../../src/help/documents.ts'
import { sectionsOf } from '../../src/help/sections.ts'

/** Whether the document exists and has this heading. @param path of a document, with an anchor or without: `pages#alerts` */
export function hasHelpPlace(path: string): boolean {
  const [name = '', anchor] = path.split('#')
  const found = findDocument(name)
  return found !== null && (anchor === undefined || sectionsOf(found.text).some((each) => each.anchor === anchor))
}
