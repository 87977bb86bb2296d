import { choose, query } from '../state/address.ts';

/** An option of a picker: what stands in the address, and what the reader sees. */
export interface Option {
  value: string;
  text: string;
}

/** A choice in the address of a view, under `name`. Without one, or with one that is not offered, it is the first. */
export function Picker({
  name,
  label,
  options,
}: {
  name: string;
  label: string;
  options: readonly Option[];
}) {
  const chosen = chosenOf(name, options);
  const [first] = options;
  return (
    <span>
      <label for={name}>{label}</label>
      <select
        id={name}
        value={chosen}
        onChange={({ currentTarget: { value } }) =>
          choose({ [name]: value === first?.value ? '' : value, page: '' })
        }
      >
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}

/** The value of a picker's choice. */
export function chosenOf(name: string, options: readonly Option[]): string {
  const wanted = query.value[name];
  return (options.find(({ value }) => value === wanted) ?? options[0])?.value ?? '';
}
