import { useEffect } from 'preact/hooks';
import { linkTo } from '../state/address.ts';
import { areShown, checkDropped } from '../state/dropped.ts';
import { texts } from '../texts/texts.ts';
import { droppedFiles } from '../try/dropped-files.ts';

/** Takes files that are dropped anywhere on the page, and says so while the views show them. */
export function DropZone() {
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      if (!event.dataTransfer) return;
      location.hash = linkTo('try');
      void droppedFiles(event.dataTransfer).then(checkDropped);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', drop);
    };
  }, []);
  if (!areShown.value) return null;
  return (
    <aside class="instant fields" aria-label={texts.views.try} data-preview="true">
      <p role="status">{texts.previewOfDropped}</p>
      <button type="button" onClick={() => (areShown.value = false)}>
        {texts.previewEnd}
      </button>
    </aside>
  );
}
