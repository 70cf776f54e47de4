; Messages of the installer in English and Simplified Chinese.
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

!macro Words ID ENGLISH CHINESE
  LangString ${ID} ${LANG_ENGLISH} "${ENGLISH}"
  LangString ${ID} ${LANG_SIMPCHINESE} "${CHINESE}"
!macroend

!insertmacro Words PROGRAM_PART "GPT Studio" "GPT Studio"
!insertmacro Words PROGRAM_WORDS \
  "The program with everything that it needs. Nothing is downloaded, now or later." \
  "程序及其所需的一切。现在和以后都无需下载任何内容。"
!insertmacro Words DESKTOP_PART "Shortcut on the desktop" "桌面快捷方式"
!insertmacro Words DESKTOP_WORDS \
  "The Start menu has a shortcut in any case." \
  "无论如何，开始菜单中都会有快捷方式。"
!insertmacro Words LESSON_FILE "GPT Studio lesson" "GPT Studio 课程"
!insertmacro Words RUNNING \
  "GPT Studio is running, or its files cannot be changed. Close it (a run in progress is saved), then press Retry." \
  "GPT Studio 正在运行，或其文件无法更改。请将其关闭（关闭时会保存训练），然后按“重试”。"
!insertmacro Words WRONG_WINDOWS \
  "GPT Studio needs Windows 10 or newer on a 64-bit Intel or AMD processor. Nothing was installed." \
  "GPT Studio 需要 64 位 Intel 或 AMD 处理器上的 Windows 10 或更高版本。未安装任何内容。"
!insertmacro Words NO_SETTINGS \
  "The settings file '$Settings' does not exist. Nothing was installed." \
  "没有设置文件“$Settings”。未安装任何内容。"
!insertmacro Words LONG_PATH \
  "The path of this folder is too long: some files of the program would have paths of over ${MOST_CHARACTERS} characters, which Windows may not open. Choose a folder with a shorter path." \
  "此文件夹的路径太长：程序的某些文件的路径将超过 ${MOST_CHARACTERS} 个字符，Windows 可能无法打开。请选择路径较短的文件夹。"
!insertmacro Words REMOVING_OLDER \
  "Removing the files of the installed version; your runs are kept ..." \
  "正在删除已有版本的文件；您的运行记录不受影响……"
!insertmacro Words OLDER_STAYS \
  "The installed version could not be removed. Uninstall it in the Windows settings, and start again." \
  "无法删除已有的版本。请在 Windows 设置中将其卸载，然后重新开始。"
!insertmacro Words INCOMPLETE \
  "GPT Studio was not installed, and all files were removed again. Check that the disk is not full and the folder can be written." \
  "GPT Studio 未能安装，已写入的文件已全部删除。请检查磁盘是否已满，以及文件夹是否可写。"
!insertmacro Words FILES_STAY \
  "Some files could not be removed, because another program is using them. Close it, and uninstall again." \
  "部分文件被其他程序占用，无法删除。请关闭该程序，然后重新卸载。"
