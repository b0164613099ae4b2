/** Hides items of a list that don't contain the text typed into a field with `data-narrows`, the id of the list. */

document.addEventListener('input', ({ target: field }) => {
  const list = field instanceof HTMLInputElement && document.getElementById(field.dataset.narrows ?? '')
  if (!list) return
  const text = field.value.trim().toLowerCase()
  for (const item of list.children) item.toggleAttribute('hidden', !item.textContent.toLowerCase().includes(text))
  const nothing = document.querySelector(`[data-narrowed="${list.id}"]`)
  nothing?.toggleAttribute('hidden', list.querySelector(':scope > :not([hidden])') !== null)
})
/** Prevents a submit: the list is narrowed already, and moved switches in it would be lost. */
document.addEventListener('submit', (event) => {
  if (event.target instanceof HTMLFormElement && event.target.querySelector('[data-narrows]')) event.preventDefault()
})
