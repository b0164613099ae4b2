/** A button with `data-fill` fills in fields instead of submitting its form. The attribute contains the values as JSON. */

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>('[data-fill]') : null
  const form = button?.form
  if (!form) return
  event.preventDefault()
  for (const [name, value] of Object.entries<string>(JSON.parse(button.dataset.fill ?? ''))) {
    const field = form.elements.namedItem(name)
    // In a group of radio buttons, select the button with this value.
    if (field && 'value' in field) field.value = value
  }
  const first = form.querySelector<HTMLElement>('input:checked')
  // The button is removed together with its suggestion.
  if (button === document.activeElement) first?.focus()
  first?.dispatchEvent(new Event('input', { bubbles: true }))
})
