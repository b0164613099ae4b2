/** A button with `data-fill`, the values of fields as JSON, fills them in instead of sending its form. */

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest<HTMLButtonElement>('button[data-fill]')
  const form = button ? button.form : null
  if (!form) return
  event.preventDefault()
  const values: Readonly<Record<string, string>> = JSON.parse(button.dataset.fill ?? '{}')
  let last: HTMLElement | null = null
  for (const [name, value] of Object.entries(values)) {
    const field = form.elements.namedItem(name)
    // Of radio buttons, the one with that value is checked.
    if (field && 'value' in field) field.value = value
    if (field instanceof HTMLElement) last = field
  }
  // The button goes with what it was proposed beside.
  last?.focus()
  last?.dispatchEvent(new Event('input', { bubbles: true }))
})
