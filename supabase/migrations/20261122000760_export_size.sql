-- Allows exports of up to 2 GB, because the PDF of the largest possible document exceeds the storage default of 50 MB
-- per file. Supabase's global limit applies too. On hosted Supabase, it is set in the storage settings.
update storage.buckets set file_size_limit = 2147483648 where id = 'exports';
