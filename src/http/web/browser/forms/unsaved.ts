/** Warns before leaving a page on which fields within `data-unsaved` were changed. `true`: they hold values that the server refused. */

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
