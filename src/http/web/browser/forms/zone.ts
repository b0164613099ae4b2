/** Fills in the browser's time zone where the field for it is empty. */

for (const field of document.querySelectorAll<HTMLInputElement>('input[data-zone]')) {
  if (field.value === '') field.value = Intl.DateTimeFormat().resolvedOptions().timeZone
}
