/**
 * Warns before the user leaves a page with unsaved changes in fields inside `data-unsaved`. If the attribute is `true`, the fields contain
 * values that the server rejected.
 */

const FIELDS = '[data-unsaved]'
let isUnsaved = document.querySelector('[data-unsaved="true"]') !== null

document.addEventListener('input', ({ target }) => {
  if (target instanceof Element && target.closest(FIELDS)) isUnsaved = true
})
document.addEventListener('submit', ({ target }) => {
  if (target instanceof Element && target.querySelector(FIELDS)) isUnsaved = false
})
addEventListener('beforeunload', (event) => {
  if (isUnsaved) event.preventDefault()
})
