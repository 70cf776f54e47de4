<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
 <context>
  <name>GPTStudio</name>
  <message>
   <source> or </source>
   <translation>或</translation>
  </message>
  <message>
   <source>'{key}' is no part of {what}; the parts are {parts}.</source>
   <translation>“{key}”不是{what}的组成部分；可用的部分是 {parts}。</translation>
  </message>
  <message>
   <source>'{name}' cannot be opened as a lesson. Please correct it and open it again:</source>
   <translation>“{name}”不能作为课程打开。请改正后重新打开：</translation>
  </message>
  <message>
   <source>'{path}' could not be read: {why}.</source>
   <translation>无法读取“{path}”：{why}。</translation>
  </message>
  <message>
   <source>'{path}' was not opened: a lesson has at most {most} KB, and this file has more.</source>
   <translation>“{path}”没有打开：课程文件最大 {most} KB，而这个文件更大。</translation>
  </message>
  <message>
   <source>+ column</source>
   <translation>+ 列</translation>
  </message>
  <message>
   <source>+ layer</source>
   <translation>+ 层</translation>
  </message>
  <message>
   <source>+ row</source>
   <translation>+ 行</translation>
  </message>
  <message>
   <source>+ row of position {position}</source>
   <translation>+ 位置 {position} 的行</translation>
  </message>
  <message>
   <source>+ shortcut</source>
   <translation>+ 快捷连接</translation>
  </message>
  <message>
   <source>0 at number {at}: the id is {id}.</source>
   <translation>第 {at} 个数是 0：该 id 是 {id}。</translation>
  </message>
  <message>
   <source>0 bits</source>
   <translation>0 比特</translation>
  </message>
  <message>
   <source>0–1 bit</source>
   <translation>0–1 比特</translation>
  </message>
  <message>
   <source>1 at number {at}: that is the id.</source>
   <translation>第 {at} 个数是 1：它就是该 id。</translation>
  </message>
  <message>
   <source>1 branch</source>
   <translation>1 个分支</translation>
  </message>
  <message>
   <source>1 token</source>
   <translation>1 个词元</translation>
  </message>
  <message>
   <source>100 points from -3 to 3</source>
   <translation>-3 到 3 的 100 个点</translation>
  </message>
  <message>
   <source>100 points from -5 to 5</source>
   <translation>-5 到 5 的 100 个点</translation>
  </message>
  <message>
   <source>12 L D²</source>
   <translation>12 L D²</translation>
  </message>
  <message>
   <source>1st</source>
   <translation>第 1</translation>
  </message>
  <message>
   <source>2 to the bits per token: on average the model chose as if among so many equally likely tokens. Guessing, it would be {n}.</source>
   <translation>2 的“每词元比特”次方：平均而言，模型好像在这么多个等可能的词元中选择。随意猜则为 {n}。</translation>
  </message>
  <message>
   <source>2 to the power of the entropy: among so many equally likely tokens the choice would be as open.</source>
   <translation>2 的熵次方：相当于在这么多个等可能的词元中选择。</translation>
  </message>
  <message>
   <source>&lt;|endoftext|&gt; is one token</source>
   <translation>&lt;|endoftext|&gt; 算作一个词元</translation>
  </message>
  <message>
   <source>= what the model is given</source>
   <translation>= 模型得到的</translation>
  </message>
  <message>
   <source>A .pth of the book's code, a .safetensors file, or a file of a Hugging Face folder</source>
   <translation>书中代码的 .pth、.safetensors 文件，或 Hugging Face 文件夹中的文件</translation>
  </message>
  <message>
   <source>A GPT strikes numbers in three places. One rate can serve all three; exercise 4.3 gives each a rate of its own. A field left empty takes the common rate. The squares are the first numbers of the first such tensor: a row for each token, full where a number stays.</source>
   <translation>GPT 在三处划去数字。三处可以共用一个比率；练习 4.3 给每处各自的比率。留空的一栏取共同的比率。小方格是第一个这样的张量的头几个数：每个词元一行，实心表示保留。</translation>
  </message>
  <message>
   <source>A GPT-2 as Hugging Face keeps it</source>
   <translation>Hugging Face 格式的 GPT-2</translation>
  </message>
  <message>
   <source>A GPT-2 is a handful of tables and matrices. How many numbers they hold follows from four: the layers L, the width D, the vocabulary V and the context C. The heads share the width and change nothing.</source>
   <translation>GPT-2 不过是几张表和若干矩阵。它们有多少个数，由四个数决定：层数 L、宽度 D、词表 V 和上下文 C。各个头分享宽度，不改变总数。</translation>
  </message>
  <message>
   <source>A batch of texts goes in as token ids and comes out as logits: at each place a number for every token of the vocabulary, the larger the likelier it comes next.</source>
   <translation>一批文本以词元编号的形式进入，以 logits 的形式出来：在每个位置上，词表中的每个词元都有一个数，数越大，它越可能接着出现。</translation>
  </message>
  <message>
   <source>A bracket in another place</source>
   <translation>括号放错位置</translation>
  </message>
  <message>
   <source>A checkpoint after every so many epochs. Empty: by time alone.</source>
   <translation>每隔这么多轮存一个检查点。留空：只按时间。</translation>
  </message>
  <message>
   <source>A checkpoint after so many seconds, less often where saving itself takes long; the end of the run is saved in any case.</source>
   <translation>每隔这么多秒存一个检查点，保存本身耗时较长时会少存一些；训练结束时总会保存。</translation>
  </message>
  <message>
   <source>A checkpoint was saved after step {n}.</source>
   <translation>第 {n} 步之后保存了检查点。</translation>
  </message>
  <message>
   <source>A checkpoint's folder, or a run's</source>
   <translation>检查点或训练的文件夹</translation>
  </message>
  <message>
   <source>A folder of weights</source>
   <translation>权重文件夹</translation>
  </message>
  <message>
   <source>A folder with the weights, the configuration and the tokenizer. Whoever has transformers opens it with GPT2LMHeadModel.from_pretrained.</source>
   <translation>包含权重、配置和分词器的文件夹。装有 transformers 的人可用 GPT2LMHeadModel.from_pretrained 打开它。</translation>
  </message>
  <message>
   <source>A lesson is a small text file (TOML). It can be dropped here too.</source>
   <translation>课程是一个小文本文件（TOML），也可以拖到这里。</translation>
  </message>
  <message>
   <source>A lesson takes you by the hand. Or open any experiment and change what you like: nothing can break.</source>
   <translation>跟着课程一步一步学；也可以打开任意一个实验，随意更改：什么也弄不坏。</translation>
  </message>
  <message>
   <source>A line of this run's journal is not what was written: the file was damaged. What it told is left out here and in the curves; the checkpoints are not concerned.</source>
   <translation>此次训练的日志中有一行与写入时不同：文件已损坏。该行所述内容在这里和曲线中均被略去；检查点不受影响。</translation>
  </message>
  <message>
   <source>A model gives every token of its vocabulary a probability of coming next. For the loss only one of them counts: what it gave to the token that really came, the target.</source>
   <translation>模型给词表中的每个词元一个“接下来出现”的概率。对损失而言只有一个概率算数：它给真正出现的那个词元（目标）的概率。</translation>
  </message>
  <message>
   <source>A model never writes a text. It reads tokens and gives a logit to every token that could come next. Writing is what a loop around it does.</source>
   <translation>模型从不写文章。它读入词元，给每个可能接下来的词元一个 logit。写作是它外面的一个循环做的。</translation>
  </message>
  <message>
   <source>A model of GPT Studio</source>
   <translation>GPT Studio 的模型</translation>
  </message>
  <message>
   <source>A model reads numbers. Byte-pair encoding cuts a text into pieces that it knows; the number of a piece is its id.</source>
   <translation>模型读的是数字。字节对编码把文本切成它认识的片段；片段的编号就是它的 ID。</translation>
  </message>
  <message>
   <source>A model's last layer gives each token a logit, any number at all. Softmax makes probabilities of them, and one token is drawn. Two dials come before: temperature and top-k.</source>
   <translation>模型的最后一层给每个词元一个 logit，可以是任意的数。softmax 把它们变成概率，再抽取一个词元。在此之前有两个旋钮：温度和 top-k。</translation>
  </message>
  <message>
   <source>A number becomes a row of numbers, and its place is added.</source>
   <translation>一个数变成一行数，再加上它的位置。</translation>
  </message>
  <message>
   <source>A number for each token of the vocabulary: how well it would go on.</source>
   <translation>词表中每个词元一个数：它有多适合接在后面。</translation>
  </message>
  <message>
   <source>A ready configuration to start from; every field below can be changed.</source>
   <translation>可以由此开始的现成配置；下面每一项都能改。</translation>
  </message>
  <message>
   <source>A row for each sequence, with commas between the ids and semicolons between the rows.</source>
   <translation>每个序列一行，ID 之间用逗号，行之间用分号。</translation>
  </message>
  <message>
   <source>A row of numbers for each word; all rows as long.</source>
   <translation>每个词一行数；各行一样长。</translation>
  </message>
  <message>
   <source>A run from anywhere, such as a shared disk that another machine writes to</source>
   <translation>任何位置的训练，例如另一台机器写入的共享磁盘</translation>
  </message>
  <message>
   <source>A run in a zip</source>
   <translation>zip 中的训练</translation>
  </message>
  <message>
   <source>A run is going on, so nothing was set. Wait for its end, or stop it.</source>
   <translation>训练正在进行，所以什么都没有设置。请等它结束，或停止它。</translation>
  </message>
  <message>
   <source>A run that begins with its weights</source>
   <translation>以它的权重开始一次训练</translation>
  </message>
  <message>
   <source>A run that was packed on this or another machine</source>
   <translation>在本机或另一台机器上打包的训练</translation>
  </message>
  <message>
   <source>A run's folder</source>
   <translation>训练的文件夹</translation>
  </message>
  <message>
   <source>A run, a checkpoint, or a preset (built fresh from the seed).</source>
   <translation>一次训练、一个检查点，或一个预设（由种子新建）。</translation>
  </message>
  <message>
   <source>A setting beside is wrong.</source>
   <translation>旁边有一项设置不对。</translation>
  </message>
  <message>
   <source>A setting has a problem.</source>
   <translation>有一项设置有问题。</translation>
  </message>
  <message>
   <source>A shortcut adds the input of a layer to its output. Each factor becomes I + J, and where J is nearly nothing, I still hands on all of it.</source>
   <translation>快捷连接把一层的输入加到它的输出上。每个因子变为 I + J；即使 J 几乎为零，I 仍把一切传下去。</translation>
  </message>
  <message>
   <source>A small world of nine words, after “every effort moves you”. The seeds print the logits of closer, forward and toward alone (ticked). The six smaller ones are ours.</source>
   <translation>一个只有九个词的小世界，接在 “every effort moves you” 之后。原文只印出 closer、forward 和 toward 的 logits（打了勾的）。另外六个较小的是我们取的。</translation>
  </message>
  <message>
   <source>A state dict. The book's own GPTModel takes it with load_state_dict, in this configuration.</source>
   <translation>一个 state dict。书中的 GPTModel 在此配置下可用 load_state_dict 载入它。</translation>
  </message>
  <message>
   <source>A temperature above 1 brings the logits closer together: bolder. Below 1 it drives them apart: surer. At 0 the likeliest is taken for certain.</source>
   <translation>温度高于 1 使 logits 彼此靠近：更大胆。低于 1 使它们拉开：更有把握。为 0 时必取最可能的那个。</translation>
  </message>
  <message>
   <source>A text is being written. Stop it first, then open the tree.</source>
   <translation>正在写文本。请先停止，再打开分支树。</translation>
  </message>
  <message>
   <source>A text of {n} tokens</source>
   <translation>{n} 个词元的文本</translation>
  </message>
  <message>
   <source>A text of {n} tokens, coloured by {what}</source>
   <translation>{n} 个词元的文本，按{what}着色</translation>
  </message>
  <message>
   <source>A text to learn from</source>
   <translation>用来学习的文本</translation>
  </message>
  <message>
   <source>A text to score</source>
   <translation>要打分的文本</translation>
  </message>
  <message>
   <source>A tree</source>
   <translation>分支树</translation>
  </message>
  <message>
   <source>A tree of this title is there already. It will be replaced.</source>
   <translation>已有同名的分支树，将被替换。</translation>
  </message>
  <message>
   <source>Above 1: tokens that are in the text already become less likely.</source>
   <translation>大于 1：文本中已有的词元变得不太可能。</translation>
  </message>
  <message>
   <source>Activation</source>
   <translation>激活函数</translation>
  </message>
  <message>
   <source>Add</source>
   <translation>添加</translation>
  </message>
  <message>
   <source>Add a folder …</source>
   <translation>添加文件夹 …</translation>
  </message>
  <message>
   <source>Adds a bias to the three attention projections, as OpenAI's GPT-2 has.</source>
   <translation>给注意力的三个投影加上偏置，与 OpenAI 的 GPT-2 一样。</translation>
  </message>
  <message>
   <source>Adds a bias to the three projections of attention.</source>
   <translation>给注意力的三个投影加上偏置。</translation>
  </message>
  <message>
   <source>After a mask behind the softmax: makes each row sum to 1 again.</source>
   <translation>在 softmax 之后加掩码时：使每行之和重新为 1。</translation>
  </message>
  <message>
   <source>After all {count} steps: {text}</source>
   <translation>全部 {count} 步之后：{text}</translation>
  </message>
  <message>
   <source>After each epoch the model goes on from here.</source>
   <translation>每轮之后，模型从这里接着写。</translation>
  </message>
  <message>
   <source>After each epoch the model writes a sample here.</source>
   <translation>每轮之后，模型会在这里写一段样本。</translation>
  </message>
  <message>
   <source>After step</source>
   <translation>步数之后</translation>
  </message>
  <message>
   <source>After step {n} the validation loss, {loss}, fell no further while the training loss went on falling: the model has begun to learn its text by heart, which is called overfitting.</source>
   <translation>第 {n} 步之后，验证损失停在 {loss} 不再下降，而训练损失继续下降：模型开始死记文本，这叫过拟合。</translation>
  </message>
  <message>
   <source>After the embeddings. Empty: the same as Rate.</source>
   <translation>在嵌入之后。留空：与比率相同。</translation>
  </message>
  <message>
   <source>After the tokens have looked at each other, each goes through this module by itself: into four times as many numbers, through GELU, and back to as many as before. What goes in and what comes out have one shape, so that blocks can stand one behind the other.</source>
   <translation>词元彼此看过之后，各自单独通过这个模块：先变成四倍多的数，经过 GELU，再变回原来那么多。输入与输出形状相同，因此块可以一个接一个地堆叠。</translation>
  </message>
  <message>
   <source>After training</source>
   <translation>训练后</translation>
  </message>
  <message>
   <source>After “{read}” came “{token}”.</source>
   <translation>“{read}”之后是“{token}”。</translation>
  </message>
  <message>
   <source>Against it: batch normalisation</source>
   <translation>对照：批归一化</translation>
  </message>
  <message>
   <source>All blocks</source>
   <translation>所有块</translation>
  </message>
  <message>
   <source>All files (*)</source>
   <translation>所有文件 (*)</translation>
  </message>
  <message>
   <source>All heads of this layer</source>
   <translation>这一层的所有头</translation>
  </message>
  <message>
   <source>All its files on the disk</source>
   <translation>它在磁盘上的所有文件</translation>
  </message>
  <message>
   <source>All nine words</source>
   <translation>全部九个词</translation>
  </message>
  <message>
   <source>All targets get</source>
   <translation>所有目标都给</translation>
  </message>
  <message>
   <source>All {n} tokens that are not listed, in one</source>
   <translation>未列出的全部 {n} 个词元，合在一起</translation>
  </message>
  <message>
   <source>All {total} parameters learn.</source>
   <translation>全部 {total} 个参数都参与学习。</translation>
  </message>
  <message>
   <source>Allowed: {what}.</source>
   <translation>可取：{what}。</translation>
  </message>
  <message>
   <source>Alt+Left</source>
   <translation>Alt+左箭头</translation>
  </message>
  <message>
   <source>Alt+Right</source>
   <translation>Alt+右箭头</translation>
  </message>
  <message>
   <source>An error ended what was under way; it is named where that was shown.</source>
   <translation>一个错误中断了正在进行的工作；出错的原因写在那项工作所在的位置。</translation>
  </message>
  <message>
   <source>An id is only a name: 4 is not twice 2. So each id has a row of numbers of its own in a matrix, and to embed it is to look the row up. Training changes the rows.</source>
   <translation>ID 只是名字：4 并不是 2 的两倍。所以每个 ID 在矩阵中有自己的一行数字，嵌入就是查出这一行。训练会改变这些行。</translation>
  </message>
  <message>
   <source>An input of your own</source>
   <translation>你自己的输入</translation>
  </message>
  <message>
   <source>An unknown place</source>
   <translation>一个陌生的地名</translation>
  </message>
  <message>
   <source>An untrained model</source>
   <translation>未训练的模型</translation>
  </message>
  <message>
   <source>Anew: both networks have the same weights. Once: the one with shortcuts is built second and gets others.</source>
   <translation>各设一次：两个网络权重相同。只设一次：有快捷连接的网络后建立，得到另外的权重。</translation>
  </message>
  <message>
   <source>Another branch has another token here.</source>
   <translation>另一个分支在这里是另一个词元。</translation>
  </message>
  <message>
   <source>Another file …</source>
   <translation>其他文件 …</translation>
  </message>
  <message>
   <source>Another place</source>
   <translation>换个位置</translation>
  </message>
  <message>
   <source>Another word</source>
   <translation>另一个词</translation>
  </message>
  <message>
   <source>Are read where the text is 'ids'.</source>
   <translation>文本选 “ids” 时使用。</translation>
  </message>
  <message>
   <source>Arithmetic</source>
   <translation>运算</translation>
  </message>
  <message>
   <source>Arrow keys walk, Enter goes there, Ctrl+click picks to compare, F2 names, Delete removes.</source>
   <translation>方向键移动，Enter 前往，Ctrl+单击选来比较，F2 命名，Delete 移除。</translation>
  </message>
  <message>
   <source>As</source>
   <translation>格式</translation>
  </message>
  <message>
   <source>As many numbers as the first of the layer sizes says.</source>
   <translation>数的个数须与各层宽度的第一个相同。</translation>
  </message>
  <message>
   <source>As the system has it</source>
   <translation>跟随系统</translation>
  </message>
  <message>
   <source>Asking the model again …</source>
   <translation>再次询问模型 …</translation>
  </message>
  <message>
   <source>Asking the model …</source>
   <translation>正在询问模型 …</translation>
  </message>
  <message>
   <source>Asks {server} how large they are, and nothing else before you press Download.</source>
   <translation>向 {server} 询问它们的大小；按下“下载”之前不做其他任何事。</translation>
  </message>
  <message>
   <source>At so many inputs the curves are computed.</source>
   <translation>在这么多个输入处计算曲线。</translation>
  </message>
  <message>
   <source>At step {n} the loss jumped to {loss}, from about {usual} in the steps before: often the learning rate is too high, sometimes the batch is unlike the others.</source>
   <translation>第 {n} 步损失从之前的约 {usual} 跳到 {loss}：常常是学习率太高，有时是这一批与其他批不同。</translation>
  </message>
  <message>
   <source>At these {points} points the seeds' formula and torch's own GELU are at most {own} apart, and the tanh form and the exact one {exact}.</source>
   <translation>在这 {points} 个点上，种子文档的公式与 torch 自带的 GELU 最多相差 {own}，tanh 形式与精确形式最多相差 {exact}。</translation>
  </message>
  <message>
   <source>Attention</source>
   <translation>注意力</translation>
  </message>
  <message>
   <source>Attention, then feed forward; what comes out has the shape of what went in.</source>
   <translation>先注意力，后前馈网络；输出与输入的形状相同。</translation>
  </message>
  <message>
   <source>Attention: a row for each token that looks; the arrow keys move</source>
   <translation>注意力：每个查看的词元占一行；方向键移动</translation>
  </message>
  <message>
   <source>Attention: to which earlier tokens each one looks, in every head of every layer.</source>
   <translation>注意力：在每一层的每个头里，各个词元看向前面的哪些词元。</translation>
  </message>
  <message>
   <source>Averages over neighbouring points; the points themselves stay visible, faintly.</source>
   <translation>对相邻的点取平均；原来的点仍淡淡可见。</translation>
  </message>
  <message>
   <source>Back</source>
   <translation>上一步</translation>
  </message>
  <message>
   <source>Back one token</source>
   <translation>后退一个词元</translation>
  </message>
  <message>
   <source>Back to the chosen token</source>
   <translation>回到选中的词元</translation>
  </message>
  <message>
   <source>Back to the map</source>
   <translation>回到分支图</translation>
  </message>
  <message>
   <source>Back to the text, to change it or to paste another</source>
   <translation>回到文本，修改它或粘贴另一段</translation>
  </message>
  <message>
   <source>Bars</source>
   <translation>条形</translation>
  </message>
  <message>
   <source>Bars by powers of ten, so that small probabilities can be compared too.</source>
   <translation>条形按 10 的幂，小概率也能比较。</translation>
  </message>
  <message>
   <source>Bars: Jensen-Shannon distance. Grey: behind the first difference, each side reads its own text.</source>
   <translation>条形：Jensen-Shannon 距离。灰色：从第一处不同起，两边各读各的文本。</translation>
  </message>
  <message>
   <source>Batch</source>
   <translation>批大小</translation>
  </message>
  <message>
   <source>Batch of rows</source>
   <translation>批次</translation>
  </message>
  <message>
   <source>Batch size</source>
   <translation>批次大小</translation>
  </message>
  <message>
   <source>Batches</source>
   <translation>批数</translation>
  </message>
  <message>
   <source>Batches per step</source>
   <translation>每步批数</translation>
  </message>
  <message>
   <source>Before GELU {negative} are below 0, the lowest is {lowest_before}; after it none is lower than {lowest}. Nearer to 0 than {quiet} were {quiet_before}, and now are {quiet_after}.</source>
   <translation>经过 GELU 之前，{negative} 小于 0，最小为 {lowest_before}；之后没有低于 {lowest} 的。绝对值小于 {quiet} 的原有 {quiet_before}，现为 {quiet_after}。</translation>
  </message>
  <message>
   <source>Before each shortcut is added. Empty: the same as Rate.</source>
   <translation>在加上每个快捷连接之前。留空：与比率相同。</translation>
  </message>
  <message>
   <source>Before it</source>
   <translation>前文</translation>
  </message>
  <message>
   <source>Before training</source>
   <translation>训练前</translation>
  </message>
  <message>
   <source>Before: {sum} = {p}</source>
   <translation>之前：{sum} = {p}</translation>
  </message>
  <message>
   <source>Begin with</source>
   <translation>起始权重</translation>
  </message>
  <message>
   <source>Behind “{text}” the largest of {count} logits is that of “{next}”.</source>
   <translation>在“{text}”之后，{count} 个 logits 中最大的是“{next}”的。</translation>
  </message>
  <message>
   <source>Below the drawing the same module is at work inside a model: every number that its first layer gives for your text, before GELU and after it. Model, text and layer change this chart; width and the two counts change the drawing.</source>
   <translation>图形下方是同一模块在一个模型里工作的样子：它的第一层对你的文本给出的每个数，GELU 之前和之后。模型、文本和层会改变这张图表；宽度和两个数目会改变上面的图形。</translation>
  </message>
  <message>
   <source>Bends each number: what is below zero is nearly lost.</source>
   <translation>把每个数弯折：小于零的几乎消失。</translation>
  </message>
  <message>
   <source>Best val.</source>
   <translation>最佳验证</translation>
  </message>
  <message>
   <source>Beta 1</source>
   <translation>Beta 1</translation>
  </message>
  <message>
   <source>Beta 2</source>
   <translation>Beta 2</translation>
  </message>
  <message>
   <source>Bits</source>
   <translation>比特</translation>
  </message>
  <message>
   <source>Bits a token</source>
   <translation>比特/词元</translation>
  </message>
  <message>
   <source>Bits per byte</source>
   <translation>每字节比特</translation>
  </message>
  <message>
   <source>Bits per token</source>
   <translation>每词元比特</translation>
  </message>
  <message>
   <source>Block 1</source>
   <translation>第 1 块</translation>
  </message>
  <message>
   <source>Block 2</source>
   <translation>第 2 块</translation>
  </message>
  <message>
   <source>Block and model</source>
   <translation>块与模型</translation>
  </message>
  <message>
   <source>Blocks 2 to {last}</source>
   <translation>第 2 至 {last} 块</translation>
  </message>
  <message>
   <source>Both go on from 1 prompt token: “{words}”</source>
   <translation>两边都从 1 个提示词元接着写：“{words}”</translation>
  </message>
  <message>
   <source>Both go on from {n} prompt tokens: “{words}”</source>
   <translation>两边都从 {n} 个提示词元接着写：“{words}”</translation>
  </message>
  <message>
   <source>Both losses are measured, dropout off, every so many steps.</source>
   <translation>每隔这么多步，在关闭 Dropout 的情况下测量两种损失。</translation>
  </message>
  <message>
   <source>Both matrices are drawn by chance; training will change them.</source>
   <translation>两个矩阵都是随机抽取的；训练会改变它们。</translation>
  </message>
  <message>
   <source>Both texts as tokens, one above the other; the arrow keys choose a position</source>
   <translation>两段文本的词元上下对照；方向键选择位置</translation>
  </message>
  <message>
   <source>Both ways, the row of “{word}”</source>
   <translation>两种做法，“{word}”一行</translation>
  </message>
  <message>
   <source>Both wrote the same</source>
   <translation>两边写的相同</translation>
  </message>
  <message>
   <source>Branch</source>
   <translation>分支</translation>
  </message>
  <message>
   <source>Branch {n}</source>
   <translation>分支 {n}</translation>
  </message>
  <message>
   <source>Branches</source>
   <translation>分支图</translation>
  </message>
  <message>
   <source>Branches shows all {n} texts.</source>
   <translation>“分支图”显示全部 {n} 段文本。</translation>
  </message>
  <message>
   <source>Breaking it off …</source>
   <translation>正在中断 …</translation>
  </message>
  <message>
   <source>Breaks it off first</source>
   <translation>会先中断</translation>
  </message>
  <message>
   <source>Breaks it off; nothing half-written stays</source>
   <translation>中断；不会留下写了一半的内容</translation>
  </message>
  <message>
   <source>Bring it in</source>
   <translation>导入</translation>
  </message>
  <message>
   <source>Brings a file or folder in</source>
   <translation>导入文件或文件夹</translation>
  </message>
  <message>
   <source>Built as the first one, with weights of their own.</source>
   <translation>构造与第一块相同，各有自己的权重。</translation>
  </message>
  <message>
   <source>By hand, after ReLU</source>
   <translation>手算，ReLU 之后</translation>
  </message>
  <message>
   <source>By hand: what each token that came was given, from 0 to 1.</source>
   <translation>手工：每个出现的词元得到的概率，从 0 到 1。</translation>
  </message>
  <message>
   <source>Bytes</source>
   <translation>字节</translation>
  </message>
  <message>
   <source>Bytes for each parameter: four in float32, two in bfloat16.</source>
   <translation>每个参数的字节数：float32 为四，bfloat16 为二。</translation>
  </message>
  <message>
   <source>Came next</source>
   <translation>实际接着</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>取消</translation>
  </message>
  <message>
   <source>Causal</source>
   <translation>因果注意力</translation>
  </message>
  <message>
   <source>Characters</source>
   <translation>字符</translation>
  </message>
  <message>
   <source>Chart as PNG …</source>
   <translation>图表存为 PNG …</translation>
  </message>
  <message>
   <source>Chart as SVG …</source>
   <translation>图表存为 SVG …</translation>
  </message>
  <message>
   <source>Charts</source>
   <translation>图表</translation>
  </message>
  <message>
   <source>Checkpoints</source>
   <translation>检查点</translation>
  </message>
  <message>
   <source>Checkpoints kept besides the last and the one with the lowest validation loss.</source>
   <translation>除最后一个和验证损失最低的一个之外，另外保留的检查点数。</translation>
  </message>
  <message>
   <source>Checkpoints of this run</source>
   <translation>这次训练的检查点</translation>
  </message>
  <message>
   <source>Choices</source>
   <translation>候选</translation>
  </message>
  <message>
   <source>Choices, branches, attention, layers, neighbours</source>
   <translation>候选、分支图、注意力、层、近邻</translation>
  </message>
  <message>
   <source>Choose a checkpoint …</source>
   <translation>选择检查点 …</translation>
  </message>
  <message>
   <source>Choose a file …</source>
   <translation>选择文件 …</translation>
  </message>
  <message>
   <source>Choose a model first.</source>
   <translation>请先选择模型。</translation>
  </message>
  <message>
   <source>Choose …</source>
   <translation>选择 …</translation>
  </message>
  <message>
   <source>Chooses it on Generate</source>
   <translation>在“生成”页选中它</translation>
  </message>
  <message>
   <source>Click a token to read what the model made of it.</source>
   <translation>单击一个词元，看模型如何看待它。</translation>
  </message>
  <message>
   <source>Click an id to look at it, and move the position.</source>
   <translation>点击一个 ID 来看它，再移动位置。</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>关闭</translation>
  </message>
  <message>
   <source>Colour by</source>
   <translation>着色依据</translation>
  </message>
  <message>
   <source>Colour the tokens by</source>
   <translation>词元着色依据</translation>
  </message>
  <message>
   <source>Colours</source>
   <translation>配色</translation>
  </message>
  <message>
   <source>Compare</source>
   <translation>比较</translation>
  </message>
  <message>
   <source>Compare two</source>
   <translation>两相对照</translation>
  </message>
  <message>
   <source>Compute</source>
   <translation>计算</translation>
  </message>
  <message>
   <source>Computes exactly as the book's code does, slower.</source>
   <translation>完全按书中代码计算，较慢。</translation>
  </message>
  <message>
   <source>Computes exactly as the book's code does, slower: the seeds' printed numbers come out to the last digit.</source>
   <translation>完全按书中代码计算，较慢：书中印出的数字可以精确到最后一位。</translation>
  </message>
  <message>
   <source>Computing …</source>
   <translation>正在计算 …</translation>
  </message>
  <message>
   <source>Context</source>
   <translation>上下文长度</translation>
  </message>
  <message>
   <source>Context: weights times values</source>
   <translation>上下文：权重乘以值</translation>
  </message>
  <message>
   <source>Continue</source>
   <translation>继续</translation>
  </message>
  <message>
   <source>Continue from here</source>
   <translation>从这里继续</translation>
  </message>
  <message>
   <source>Copies both texts</source>
   <translation>复制两段文本</translation>
  </message>
  <message>
   <source>Copies it into your models</source>
   <translation>复制到你的模型中</translation>
  </message>
  <message>
   <source>Copies the prompt and all new tokens as text</source>
   <translation>以文本形式复制提示词和所有新词元</translation>
  </message>
  <message>
   <source>Copy</source>
   <translation>复制</translation>
  </message>
  <message>
   <source>Copy details</source>
   <translation>复制详细信息</translation>
  </message>
  <message>
   <source>Copy kept in</source>
   <translation>副本保存在</translation>
  </message>
  <message>
   <source>Copy the text</source>
   <translation>复制文本</translation>
  </message>
  <message>
   <source>Copy this token's id</source>
   <translation>复制这个词元的 id</translation>
  </message>
  <message>
   <source>Copy this token's id ({id})</source>
   <translation>复制这个词元的 id（{id}）</translation>
  </message>
  <message>
   <source>Copy with colours (HTML)</source>
   <translation>带颜色复制 (HTML)</translation>
  </message>
  <message>
   <source>Copying {name}, read twice</source>
   <translation>正在复制 {name}（读两遍）</translation>
  </message>
  <message>
   <source>Copying, read twice</source>
   <translation>正在复制（读两遍）</translation>
  </message>
  <message>
   <source>Counted from 0.</source>
   <translation>从 0 数起。</translation>
  </message>
  <message>
   <source>Ctrl+Enter</source>
   <translation>Ctrl+Enter</translation>
  </message>
  <message>
   <source>Ctrl+Enter, or Space</source>
   <translation>Ctrl+Enter，或空格键</translation>
  </message>
  <message>
   <source>Curves</source>
   <translation>曲线</translation>
  </message>
  <message>
   <source>Cut before, by {stage}</source>
   <translation>此前已被{stage}剔除</translation>
  </message>
  <message>
   <source>Cut by {stage}: 0</source>
   <translation>被{stage}剔除：0</translation>
  </message>
  <message>
   <source>Cut: rank {n}, and only the {k} likeliest stay</source>
   <translation>剔除：排第 {n}，而只留最可能的 {k} 个</translation>
  </message>
  <message>
   <source>Cut: temperature 0 leaves only the likeliest token, {token}</source>
   <translation>剔除：温度为 0 时只留最可能的词元 {token}</translation>
  </message>
  <message>
   <source>Dark</source>
   <translation>深色</translation>
  </message>
  <message>
   <source>Decoded again: another text.</source>
   <translation>重新解码：得到另一段文本。</translation>
  </message>
  <message>
   <source>Decoded again: the same text, to the letter.</source>
   <translation>重新解码：与原文一字不差。</translation>
  </message>
  <message>
   <source>Delete a model</source>
   <translation>删除模型</translation>
  </message>
  <message>
   <source>Delete a run</source>
   <translation>删除训练</translation>
  </message>
  <message>
   <source>Delete …</source>
   <translation>删除 …</translation>
  </message>
  <message>
   <source>Device</source>
   <translation>设备</translation>
  </message>
  <message>
   <source>Dials</source>
   <translation>采样参数</translation>
  </message>
  <message>
   <source>Distance {bits} bit</source>
   <translation>距离 {bits} 比特</translation>
  </message>
  <message>
   <source>Divide by n - 1</source>
   <translation>除以 n - 1</translation>
  </message>
  <message>
   <source>Divide by the row's sum</source>
   <translation>除以该行之和</translation>
  </message>
  <message>
   <source>Divide by √d_k</source>
   <translation>除以 √d_k</translation>
  </message>
  <message>
   <source>Divides the logits: below 1 surer, above 1 bolder, 0 always the likeliest token.</source>
   <translation>用来除 logits：小于 1 更稳妥，大于 1 更大胆，0 总取最可能的词元。</translation>
  </message>
  <message>
   <source>Divides the logits: below 1 surer, above 1 bolder, 0 always the likeliest word.</source>
   <translation>除以 logits 的数：低于 1 更有把握，高于 1 更大胆，0 总是最可能的词。</translation>
  </message>
  <message>
   <source>Divides the scores by the square root of the width of the keys.</source>
   <translation>把分数除以键的宽度的平方根。</translation>
  </message>
  <message>
   <source>Dot products</source>
   <translation>点积</translation>
  </message>
  <message>
   <source>Download</source>
   <translation>下载</translation>
  </message>
  <message>
   <source>Download GPT-2</source>
   <translation>下载 GPT-2</translation>
  </message>
  <message>
   <source>Download GPT-2 …</source>
   <translation>下载 GPT-2 …</translation>
  </message>
  <message>
   <source>Download it</source>
   <translation>下载</translation>
  </message>
  <message>
   <source>Downloading The Verdict: {done}</source>
   <translation>正在下载 The Verdict：{done}</translation>
  </message>
  <message>
   <source>Drag it, or press Alt and an arrow key in its column, to let it work sooner or later.</source>
   <translation>拖动它，或在它那一列按 Alt 加方向键，让它更早或更晚起作用。</translation>
  </message>
  <message>
   <source>Drag it, or press Alt and an arrow key, to let it work sooner or later.</source>
   <translation>拖动它，或按 Alt 加方向键，让它更早或更晚起作用。</translation>
  </message>
  <message>
   <source>Drag to read what the model wrote after each epoch.</source>
   <translation>拖动以阅读模型每轮之后写的内容。</translation>
  </message>
  <message>
   <source>Drag, and one part becomes higher, the other lower.</source>
   <translation>拖动可使一部分变高，另一部分变矮。</translation>
  </message>
  <message>
   <source>Draw again</source>
   <translation>再抽一次</translation>
  </message>
  <message>
   <source>Draw only from the smallest set of likeliest tokens whose probabilities reach this together.</source>
   <translation>只从概率之和达到此值的最小的最可能词元集合中抽取。</translation>
  </message>
  <message>
   <source>Draw only from this many of the likeliest tokens. Empty: from all.</source>
   <translation>只从最可能的这么多个词元中抽取。留空：从全部中抽取。</translation>
  </message>
  <message>
   <source>Draw only from this many of the likeliest words. Empty: from all nine.</source>
   <translation>只从最可能的这么多个词中抽取。留空：从全部九个中抽取。</translation>
  </message>
  <message>
   <source>Draw only from tokens that are at least this share as likely as the likeliest.</source>
   <translation>只从概率不低于最可能词元这一比例的词元中抽取。</translation>
  </message>
  <message>
   <source>Draw {n} times</source>
   <translation>抽取 {n} 次</translation>
  </message>
  <message>
   <source>Drawing (*.svg)</source>
   <translation>矢量图 (*.svg)</translation>
  </message>
  <message>
   <source>Drawing (SVG)</source>
   <translation>矢量图 (SVG)</translation>
  </message>
  <message>
   <source>Drawn</source>
   <translation>抽中</translation>
  </message>
  <message>
   <source>Drawn by chance. Training would change it.</source>
   <translation>随机抽取。训练会改变它。</translation>
  </message>
  <message>
   <source>Drawn with {p}, after the dials</source>
   <translation>经采样参数后以 {p} 抽中</translation>
  </message>
  <message>
   <source>Drawn {count} times of {n}; expected: {p} × {n} = {expected}</source>
   <translation>{n} 次中抽中 {count} 次；期望：{p} × {n} = {expected}</translation>
  </message>
  <message>
   <source>Draws</source>
   <translation>抽取次数</translation>
  </message>
  <message>
   <source>Drop the last batch</source>
   <translation>丢弃最后一个批次</translation>
  </message>
  <message>
   <source>Dropout</source>
   <translation>Dropout</translation>
  </message>
  <message>
   <source>Dropout after the embeddings. Empty: the same as Dropout.</source>
   <translation>嵌入之后的 Dropout。留空：与 Dropout 相同。</translation>
  </message>
  <message>
   <source>Dropout before each shortcut is added. Empty: the same as Dropout.</source>
   <translation>每次与快捷连接相加之前的 Dropout。留空：与 Dropout 相同。</translation>
  </message>
  <message>
   <source>Dropout on the attention weights. Empty: the same as Dropout.</source>
   <translation>注意力权重上的 Dropout。留空：与 Dropout 相同。</translation>
  </message>
  <message>
   <source>Dropout's seed</source>
   <translation>Dropout 的种子</translation>
  </message>
  <message>
   <source>E, row {id}</source>
   <translation>E，第 {id} 行</translation>
  </message>
  <message>
   <source>Each head h makes a context of its own.</source>
   <translation>每个头 h 各自得出一个上下文向量。</translation>
  </message>
  <message>
   <source>Each id takes its row of the matrix.</source>
   <translation>每个 ID 取矩阵中属于它的一行。</translation>
  </message>
  <message>
   <source>Each place takes its row; all texts share them.</source>
   <translation>每个位置取属于它的一行；所有文本共用。</translation>
  </message>
  <message>
   <source>Each row becomes shares that sum to 1.</source>
   <translation>每一行变为总和为 1 的份额。</translation>
  </message>
  <message>
   <source>Each row to mean 0 and variance 1.</source>
   <translation>把每一行变为均值 0、方差 1。</translation>
  </message>
  <message>
   <source>Each score divided by √{d} = {root}, the root of a query's length, to keep them moderate.</source>
   <translation>每个得分除以 √{d} = {root}，即查询向量长度的平方根，使数值适中。</translation>
  </message>
  <message>
   <source>Each step</source>
   <translation>每一步</translation>
  </message>
  <message>
   <source>Each step's loss</source>
   <translation>每步损失</translation>
  </message>
  <message>
   <source>Each step's rate</source>
   <translation>每步学习率</translation>
  </message>
  <message>
   <source>Each token but the first is to be foretold from those before it. Of a longer text than the model's context the end counts.</source>
   <translation>除第一个词元外，每个词元都要由它前面的词元来预测。文本比模型的上下文长时，只算末尾部分。</translation>
  </message>
  <message>
   <source>Each token by itself.</source>
   <translation>每个词元单独处理。</translation>
  </message>
  <message>
   <source>Each token by itself: wide, bent, narrow again.</source>
   <translation>每个词元各自：变宽、弯折、再变窄。</translation>
  </message>
  <message>
   <source>Each token's numbers to mean 0 and variance 1, a last time.</source>
   <translation>最后一次把每个词元的数变为均值 0、方差 1。</translation>
  </message>
  <message>
   <source>Each token's numbers to mean 0 and variance 1.</source>
   <translation>把每个词元的数变为均值 0、方差 1。</translation>
  </message>
  <message>
   <source>Edit the text</source>
   <translation>编辑文本</translation>
  </message>
  <message>
   <source>Effective choices</source>
   <translation>有效选择数</translation>
  </message>
  <message>
   <source>Eight windows of four</source>
   <translation>八个长度为四的窗口</translation>
  </message>
  <message>
   <source>Embedding</source>
   <translation>嵌入</translation>
  </message>
  <message>
   <source>Embeddings</source>
   <translation>嵌入</translation>
  </message>
  <message>
   <source>Empties the view</source>
   <translation>清空显示</translation>
  </message>
  <message>
   <source>Encoding</source>
   <translation>编码</translation>
  </message>
  <message>
   <source>End lesson</source>
   <translation>结束课程</translation>
  </message>
  <message>
   <source>Ends the run and keeps the model (Esc)</source>
   <translation>结束训练并保留模型（Esc）</translation>
  </message>
  <message>
   <source>Ends the run, which is kept, and empties the view</source>
   <translation>结束训练（会保留）并清空显示</translation>
  </message>
  <message>
   <source>Enter looks it up. “ king” with a space in front is another token than “king”; in a text, words have one.</source>
   <translation>按 Enter 查找。前面带空格的“ king”与“king”是不同的词元；文本中的词前面都有空格。</translation>
  </message>
  <message>
   <source>Entropy</source>
   <translation>熵</translation>
  </message>
  <message>
   <source>Entropy of the choice {bits} bits</source>
   <translation>选择的熵 {bits} 比特</translation>
  </message>
  <message>
   <source>Epoch {n}, step {step}</source>
   <translation>第 {n} 轮，第 {step} 步</translation>
  </message>
  <message>
   <source>Epochs</source>
   <translation>轮数</translation>
  </message>
  <message>
   <source>Epsilon</source>
   <translation>ε</translation>
  </message>
  <message>
   <source>Estimated before it: {expected}.</source>
   <translation>开始前的预计：{expected}。</translation>
  </message>
  <message>
   <source>Estimated for training: {needed} of memory, and {free} are free.</source>
   <translation>预计训练需要 {needed} 内存，现在空闲 {free}。</translation>
  </message>
  <message>
   <source>Estimated for training: {needed} of the {free} that are free, and about {time}.</source>
   <translation>预计训练需要 {needed}，现在空闲 {free}；大约用时 {time}。</translation>
  </message>
  <message>
   <source>Estimated for training: {needed} of the {free} that are free.</source>
   <translation>预计训练需要 {needed}，现在空闲 {free}。</translation>
  </message>
  <message>
   <source>Estimated memory</source>
   <translation>预计内存</translation>
  </message>
  <message>
   <source>Evaluate every</source>
   <translation>评估间隔</translation>
  </message>
  <message>
   <source>Evaluate on</source>
   <translation>评估批数</translation>
  </message>
  <message>
   <source>Every day</source>
   <translation>每一天</translation>
  </message>
  <message>
   <source>Every effort</source>
   <translation>每一份努力</translation>
  </message>
  <message>
   <source>Every effort moves you … {words}</source>
   <translation>Every effort moves you … {words}</translation>
  </message>
  <message>
   <source>Every figure of all ticked runs: step, run, value</source>
   <translation>所有勾选训练的每个数值：步、训练、值</translation>
  </message>
  <message>
   <source>Every run that is trained, here or with gptstudio train, is kept and listed on this page.</source>
   <translation>每一次训练，无论在这里还是用 gptstudio train，都会保存并列在本页。</translation>
  </message>
  <message>
   <source>Exactly as if the run had never ended</source>
   <translation>与训练从未结束完全一样</translation>
  </message>
  <message>
   <source>Export</source>
   <translation>导出</translation>
  </message>
  <message>
   <source>Export JSON …</source>
   <translation>导出 JSON …</translation>
  </message>
  <message>
   <source>Export a model</source>
   <translation>导出模型</translation>
  </message>
  <message>
   <source>Export this model …</source>
   <translation>导出此模型 …</translation>
  </message>
  <message>
   <source>Export …</source>
   <translation>导出 …</translation>
  </message>
  <message>
   <source>F2, or a double click on the name</source>
   <translation>F2，或双击名称</translation>
  </message>
  <message>
   <source>Failed</source>
   <translation>失败</translation>
  </message>
  <message>
   <source>Feed forward</source>
   <translation>前馈网络</translation>
  </message>
  <message>
   <source>Feed-forward</source>
   <translation>前馈层</translation>
  </message>
  <message>
   <source>Fetches it, and brings it in</source>
   <translation>下载并导入</translation>
  </message>
  <message>
   <source>Fetches what OpenAI published</source>
   <translation>下载 OpenAI 发布的模型</translation>
  </message>
  <message>
   <source>Fetching {name}</source>
   <translation>正在下载 {name}</translation>
  </message>
  <message>
   <source>Fewer settings</source>
   <translation>收起设置</translation>
  </message>
  <message>
   <source>Figures of the ticked runs (CSV) …</source>
   <translation>勾选训练的数值 (CSV) …</translation>
  </message>
  <message>
   <source>File</source>
   <translation>文件</translation>
  </message>
  <message>
   <source>Fine-tuning</source>
   <translation>微调</translation>
  </message>
  <message>
   <source>Finish</source>
   <translation>完成</translation>
  </message>
  <message>
   <source>Finished</source>
   <translation>已完成</translation>
  </message>
  <message>
   <source>Finished. The model is kept; the Generate tab has it.</source>
   <translation>已完成。模型已保存，可在“生成”页使用。</translation>
  </message>
  <message>
   <source>First sentence</source>
   <translation>第一句</translation>
  </message>
  <message>
   <source>First the text is cut into words, each with the space before it, shown as ␣. A word begins as single bytes. Of all neighbours, the two whose merge was learned first become one piece, again and again, until no two are left that were ever merged.</source>
   <translation>文本先被切成词，每个词带着前面的空格，显示为 ␣。一个词起初是单个字节。在所有相邻片段中，最早学到合并的那一对合成一片，如此反复，直到再没有学过合并的相邻对。</translation>
  </message>
  <message>
   <source>Follow all points again. A double-click does it too.</source>
   <translation>重新显示全部的点。双击也可以。</translation>
  </message>
  <message>
   <source>Follow one token down: it becomes a row of numbers, and every block hands on a row as long. Click a step with ▸ to see what is inside.</source>
   <translation>跟着一个词元往下走：它变成一行数，每个块交出的也是同样长的一行。点击带 ▸ 的步骤，看看里面有什么。</translation>
  </message>
  <message>
   <source>Follows {seeds}.</source>
   <translation>依据{seeds}。</translation>
  </message>
  <message>
   <source>For whoever looks into it</source>
   <translation>供排查问题的人使用</translation>
  </message>
  <message>
   <source>Forward one token</source>
   <translation>前进一个词元</translation>
  </message>
  <message>
   <source>Freeze</source>
   <translation>冻结</translation>
  </message>
  <message>
   <source>Freeze blocks</source>
   <translation>冻结块数</translation>
  </message>
  <message>
   <source>From</source>
   <translation>来源</translation>
  </message>
  <message>
   <source>From logits to a text, one step at a time.</source>
   <translation>从 logits 到文本，一步一步来。</translation>
  </message>
  <message>
   <source>From nine probabilities to a drawn word.</source>
   <translation>从九个概率到抽出的一个词。</translation>
  </message>
  <message>
   <source>From step {n} on the learning rate is {rate}.</source>
   <translation>从第 {n} 步起学习率为 {rate}。</translation>
  </message>
  <message>
   <source>From the beginning of a window to that of the next.</source>
   <translation>从一个窗口的开头到下一个窗口的开头。</translation>
  </message>
  <message>
   <source>From there on: {sums}</source>
   <translation>从那里起：{sums}</translation>
  </message>
  <message>
   <source>From this list (Del); the file stays where it is</source>
   <translation>从列表中移除（Del）；文件留在原处</translation>
  </message>
  <message>
   <source>From where it can be brought back</source>
   <translation>可以从那里恢复</translation>
  </message>
  <message>
   <source>From {low} to {high}: {before} of the numbers before GELU, {after} after it</source>
   <translation>{low} 到 {high}：GELU 之前占 {before}，之后占 {after}</translation>
  </message>
  <message>
   <source>GELU</source>
   <translation>GELU</translation>
  </message>
  <message>
   <source>GELU bends each number by itself; nothing is learned in it.</source>
   <translation>GELU 单独弯折每个数；其中没有要学习的东西。</translation>
  </message>
  <message>
   <source>GELU bends gently, and a little of it passes. The second form was cheaper to compute; GPT-2 has learned with it.</source>
   <translation>GELU 弯得平缓，负数也能通过一点。第二种形式计算更省；GPT-2 就是用它训练的。</translation>
  </message>
  <message>
   <source>GELU of x is x times the normal distribution function of x</source>
   <translation>GELU(x) 等于 x 乘以 x 处的正态分布函数</translation>
  </message>
  <message>
   <source>GELU turns at x = {x}: there it is lowest, {y}, and its slope is 0. Left of it the slope is below 0.</source>
   <translation>GELU 在 x = {x} 处转折：此处最低，为 {y}，斜率为 0。在它左边斜率小于 0。</translation>
  </message>
  <message>
   <source>GELU, exact</source>
   <translation>GELU（精确）</translation>
  </message>
  <message>
   <source>GELU, tanh</source>
   <translation>GELU（tanh）</translation>
  </message>
  <message>
   <source>GPT Studio</source>
   <translation>GPT Studio</translation>
  </message>
  <message>
   <source>GPT Studio went down twice in a row as it started. It can start without what it remembers of the last session: the model, the settings, how the window was. They are set aside, not deleted, and your runs, models and texts stay as they are.</source>
   <translation>GPT Studio 连续两次在启动时意外退出。它可以不恢复上次会话的内容（模型、设置、窗口状态）来启动。这些内容只是移到一边，不会删除；你的训练、模型和文本都保持原样。</translation>
  </message>
  <message>
   <source>GPT-2 small, shapes only</source>
   <translation>GPT-2 small，仅形状</translation>
  </message>
  <message>
   <source>GPT-2's width, two texts of three tokens</source>
   <translation>GPT-2 的宽度，两段文本各三个词元</translation>
  </message>
  <message>
   <source>Generate</source>
   <translation>生成</translation>
  </message>
  <message>
   <source>Generate with this</source>
   <translation>用它生成</translation>
  </message>
  <message>
   <source>Given by the model. Type over one to go on by hand.</source>
   <translation>由模型给出。改写其中一个，就转为手工输入。</translation>
  </message>
  <message>
   <source>Gives every target this probability</source>
   <translation>让每个目标都得到这个概率</translation>
  </message>
  <message>
   <source>Gives the run another name; its folder keeps its own</source>
   <translation>给这次训练换个名称；文件夹名不变</translation>
  </message>
  <message>
   <source>Gives the window back as it was</source>
   <translation>窗口恢复原来的样子</translation>
  </message>
  <message>
   <source>Go on</source>
   <translation>继续训练</translation>
  </message>
  <message>
   <source>Go on from step {n}</source>
   <translation>从第 {n} 步继续</translation>
  </message>
  <message>
   <source>Go on from step {n} with learning rate {rate:.3g}</source>
   <translation>从第 {n} 步以学习率 {rate:.3g} 继续</translation>
  </message>
  <message>
   <source>Go on from step {n} with the processor</source>
   <translation>用处理器从第 {n} 步继续</translation>
  </message>
  <message>
   <source>Go on more slowly</source>
   <translation>放慢继续</translation>
  </message>
  <message>
   <source>Go there</source>
   <translation>前往</translation>
  </message>
  <message>
   <source>Gradient clip</source>
   <translation>梯度裁剪</translation>
  </message>
  <message>
   <source>Gradient norm</source>
   <translation>梯度范数</translation>
  </message>
  <message>
   <source>Greedy by hand</source>
   <translation>手算贪心解码</translation>
  </message>
  <message>
   <source>Guessing among all {n} tokens costs {bits} bits each. The model needed {share} of that.</source>
   <translation>在全部 {n} 个词元中随意猜，每个要 {bits} 比特。模型只用了其中的 {share}。</translation>
  </message>
  <message>
   <source>Head</source>
   <translation>头</translation>
  </message>
  <message>
   <source>Head {number}</source>
   <translation>第 {number} 个头</translation>
  </message>
  <message>
   <source>Head {n}</source>
   <translation>头 {n}</translation>
  </message>
  <message>
   <source>Heads</source>
   <translation>注意力头</translation>
  </message>
  <message>
   <source>Heads side by side again</source>
   <translation>各个头重新并排</translation>
  </message>
  <message>
   <source>Hello</source>
   <translation>你好</translation>
  </message>
  <message>
   <source>Here t are the tokens of the text, counted from 0, and k counts the windows. The context T is how long a window is, the stride S how far the next one is moved on. With a stride smaller than the context windows overlap; with a larger one tokens are skipped.</source>
   <translation>这里 t 是文本的词元，从 0 数起；k 是窗口的序号。上下文长度 T 是一个窗口有多长，步幅 S 是下一个窗口往后移多远。步幅小于上下文长度时，窗口重叠；大于时，会跳过词元。</translation>
  </message>
  <message>
   <source>Hide the code</source>
   <translation>收起代码</translation>
  </message>
  <message>
   <source>Hides later words before the softmax or after it, or not at all.</source>
   <translation>在 softmax 之前或之后遮住后面的词，或不遮。</translation>
  </message>
  <message>
   <source>Hollow: cut by {stages}; what the model held of it before.</source>
   <translation>空心：被{stages}剔除；所示为模型原先给它的概率。</translation>
  </message>
  <message>
   <source>How a text falls into pieces, and each becomes a number.</source>
   <translation>文本怎样分成片段，每个片段又怎样变成一个数。</translation>
  </message>
  <message>
   <source>How far apart the two distributions are that the tokens were drawn from, after all stages: 0 bit where they are the same, 1 bit where no token is possible for both</source>
   <translation>经过所有采样阶段之后，抽取词元的两个分布相距多远：完全相同为 0 比特，没有任何共同可能的词元为 1 比特</translation>
  </message>
  <message>
   <source>How far attention is built up: products, weights, mask, dropout, heads.</source>
   <translation>注意力搭建到哪一步：点积、权重、掩码、dropout、多头。</translation>
  </message>
  <message>
   <source>How far each window starts behind the one before. Empty: the context, so none overlap.</source>
   <translation>每个窗口的起点比前一个靠后多少。留空：等于上下文，互不重叠。</translation>
  </message>
  <message>
   <source>How far it has come</source>
   <translation>进展如何</translation>
  </message>
  <message>
   <source>How far one step moves the weights; with a schedule, at its highest point.</source>
   <translation>一步把权重移动多远；有调度时指最高点。</translation>
  </message>
  <message>
   <source>How far the step moves the weights</source>
   <translation>这一步把权重移动多远</translation>
  </message>
  <message>
   <source>How fast Play walks: 1 to {n} tokens a second. A model may be slower.</source>
   <translation>播放的快慢：每秒 1 到 {n} 个词元。模型可能更慢。</translation>
  </message>
  <message>
   <source>How long the gradient of each step is</source>
   <translation>每步梯度的长度</translation>
  </message>
  <message>
   <source>How many attention heads look at the text side by side; each gets width / heads numbers.</source>
   <translation>有多少个注意力头并排查看文本；每个头分得“宽度 / 头数”个数。</translation>
  </message>
  <message>
   <source>How many attention heads share the width.</source>
   <translation>有多少个注意力头分享宽度。</translation>
  </message>
  <message>
   <source>How many attentions, each with weights of its own.</source>
   <translation>有几个注意力，各有自己的权重。</translation>
  </message>
  <message>
   <source>How many batches each of the two losses is measured on.</source>
   <translation>两种损失各在多少批上测量。</translation>
  </message>
  <message>
   <source>How many batches' gradients are averaged for one step: a larger batch in the same memory.</source>
   <translation>一步里对多少批的梯度取平均：用同样的内存得到更大的批。</translation>
  </message>
  <message>
   <source>How many blocks stand one behind the other.</source>
   <translation>有多少个块前后相接。</translation>
  </message>
  <message>
   <source>How many different tokens there are. GPT-2's tokenizer knows 50,257.</source>
   <translation>不同词元的总数。GPT-2 的分词器有 50,257 个。</translation>
  </message>
  <message>
   <source>How many numbers queries, keys and values have in each head.</source>
   <translation>每个头里查询、键和值各有多少个数。</translation>
  </message>
  <message>
   <source>How many numbers stand for a token; inside the module four times as many.</source>
   <translation>用多少个数表示一个词元；模块内部是它的四倍。</translation>
  </message>
  <message>
   <source>How many numbers stand for one token inside the model. Must divide by the heads.</source>
   <translation>模型内部用多少个数表示一个词元。必须能被注意力头数整除。</translation>
  </message>
  <message>
   <source>How many numbers stand for one token. Must divide by the heads.</source>
   <translation>用多少个数表示一个词元。必须能被注意力头数整除。</translation>
  </message>
  <message>
   <source>How many pairs are merged already; more than there are: all.</source>
   <translation>已经合并了多少对；超过总数即为全部。</translation>
  </message>
  <message>
   <source>How many steps to take.</source>
   <translation>走多少步。</translation>
  </message>
  <message>
   <source>How many texts go in at once.</source>
   <translation>一次送入多少段文本。</translation>
  </message>
  <message>
   <source>How many texts to write at once, in one pass of the model for each token.</source>
   <translation>一次写多少段文本，每个词元只需模型计算一遍。</translation>
  </message>
  <message>
   <source>How many tokens are listed</source>
   <translation>列出多少个词元</translation>
  </message>
  <message>
   <source>How many tokens are seen at once: one row of the position embedding each.</source>
   <translation>一次能看到多少个词元：每个占位置嵌入的一行。</translation>
  </message>
  <message>
   <source>How many tokens each of them has.</source>
   <translation>每段文本有多少个词元。</translation>
  </message>
  <message>
   <source>How many tokens it writes.</source>
   <translation>写多少个词元。</translation>
  </message>
  <message>
   <source>How many tokens the model reads.</source>
   <translation>模型读取多少个词元。</translation>
  </message>
  <message>
   <source>How many tokens the model sees at once: one position vector each.</source>
   <translation>模型一次能看到多少个词元：每个位置一个位置向量。</translation>
  </message>
  <message>
   <source>How many tokens the model sees at once; the seeds call it max_length.</source>
   <translation>模型一次看到多少个词元；种子文档里叫 max_length。</translation>
  </message>
  <message>
   <source>How many tokens there are: one row of the token embedding each.</source>
   <translation>一共有多少个词元：每个占词元嵌入的一行。</translation>
  </message>
  <message>
   <source>How many tokens to write.</source>
   <translation>要写多少个词元。</translation>
  </message>
  <message>
   <source>How many transformer blocks stand one behind the other.</source>
   <translation>前后相接的 Transformer 块的个数。</translation>
  </message>
  <message>
   <source>How many windows of text are learned from in one step.</source>
   <translation>一步里从多少个文本窗口学习。</translation>
  </message>
  <message>
   <source>How many words are drawn, each by itself.</source>
   <translation>抽取多少个词，每次互不相干。</translation>
  </message>
  <message>
   <source>How much AdamW remembers of how large the gradients were.</source>
   <translation>AdamW 记住多少以往梯度的大小。</translation>
  </message>
  <message>
   <source>How much is tokenised</source>
   <translation>分词进度</translation>
  </message>
  <message>
   <source>How much of its direction AdamW keeps from step to step.</source>
   <translation>AdamW 在步与步之间保留多少方向。</translation>
  </message>
  <message>
   <source>How much of the text is read</source>
   <translation>文本读了多少</translation>
  </message>
  <message>
   <source>How much should one word take over from another? Multiply their numbers in pairs and add up: the dot product, here called the score ω, is large where two words point the same way. Softmax turns each row of scores into weights α, shares that sum to 1: e to the power of each score, divided by the sum of all these powers. A word's context z is all words, mixed in these shares.</source>
   <translation>一个词该从另一个词那里吸取多少？把两者的数字逐个相乘再相加，得到点积，这里叫分数 ω：方向相近的两个词，点积就大。softmax 把每行分数变成权重 α，即和为 1 的份额：e 的各分数次幂，除以这一行所有幂之和。一个词的上下文向量 z 就是所有词按这些份额的混合。</translation>
  </message>
  <message>
   <source>How often the whole matrix is drawn anew, for the average.</source>
   <translation>为求平均，整个矩阵重新抽取多少次。</translation>
  </message>
  <message>
   <source>How often the whole training text is read.</source>
   <translation>整个训练文本读多少遍。</translation>
  </message>
  <message>
   <source>How open the choice is, in bits, as the model gives it and after all stages: 0 when it is certain.</source>
   <translation>选择有多不确定，以比特计，先是模型给出的，再是经过所有阶段之后的：完全确定时为 0。</translation>
  </message>
  <message>
   <source>How open the choice was to the model, whichever token came: 0 bits when it was certain, 1 bit when two tokens were as likely. Before any dial.</source>
   <translation>不论来的是哪个词元，模型的选择有多不确定：确定时为 0 比特，两个词元同样可能时为 1 比特。未经采样参数。</translation>
  </message>
  <message>
   <source>How strongly AdamW pulls every weight towards zero.</source>
   <translation>AdamW 以多大力度把每个权重拉向零。</translation>
  </message>
  <message>
   <source>How surprising is a text to a model? Each token's surprise is counted in bits: 0 for one that the model was certain of, 1 for one as likely as heads or tails, and 1 more each time it is half as likely. A model that has learned from texts like this one is surprised less.</source>
   <translation>一段文本会让模型多惊讶？每个词元的惊讶度以比特计：模型十分确定的为 0，像抛硬币一样可能的为 1，可能性每减半再加 1。学过类似文本的模型惊讶得少一些。</translation>
  </message>
  <message>
   <source>How surprising the model found its own tokens, on average, before any dial changed their probabilities</source>
   <translation>在采样参数改变概率之前，模型对自己写出的词元平均有多惊讶</translation>
  </message>
  <message>
   <source>How this model began is not known here, so there is nothing to compare it with.</source>
   <translation>不知道这个模型最初是什么样，所以没有可比较的对象。</translation>
  </message>
  <message>
   <source>How unexpected the token was to the model: 0 bits when it was certain of it, 1 bit more for each time that it held it for half as likely. Before any dial.</source>
   <translation>这个词元对模型来说有多意外：十分确定时为 0 比特，可能性每减半再加 1 比特。未经采样参数。</translation>
  </message>
  <message>
   <source>How well each query fits each key: a square of tokens for each head.</source>
   <translation>每个查询与每个键有多相配：每个头一个词元的方阵。</translation>
  </message>
  <message>
   <source>Hugging Face folder</source>
   <translation>Hugging Face 文件夹</translation>
  </message>
  <message>
   <source>Id {place} is {value}; allowed is a whole number from 0 to {most}.</source>
   <translation>第 {place} 个 ID 是 {value}；允许的是 0 到 {most} 的整数。</translation>
  </message>
  <message>
   <source>Ids</source>
   <translation>ID</translation>
  </message>
  <message>
   <source>Import a zip …</source>
   <translation>导入 zip …</translation>
  </message>
  <message>
   <source>Impossible: 0</source>
   <translation>不可能：0</translation>
  </message>
  <message>
   <source>In a model</source>
   <translation>在模型中</translation>
  </message>
  <message>
   <source>In its sequence, counted from 0.</source>
   <translation>在其序列中的位置，从 0 数起。</translation>
  </message>
  <message>
   <source>In layer {layer} of {layers}: {count} numbers, {width} for each of {read} tokens</source>
   <translation>第 {layer} 层（共 {layers} 层）：{count} 个数，{read} 个词元各 {width} 个</translation>
  </message>
  <message>
   <source>In the text already: {x} {sign} {penalty} = {y}</source>
   <translation>文本中已有：{x} {sign} {penalty} = {y}</translation>
  </message>
  <message>
   <source>In use, a model strikes nothing and multiplies nothing: what comes out is what went in.</source>
   <translation>使用时，模型什么也不划去，也不放大：输出就是输入。</translation>
  </message>
  <message>
   <source>In use: eval()</source>
   <translation>使用：eval()</translation>
  </message>
  <message>
   <source>In what these {n} runs differ</source>
   <translation>这 {n} 次训练的不同之处</translation>
  </message>
  <message>
   <source>In which folder?</source>
   <translation>放在哪个文件夹中？</translation>
  </message>
  <message>
   <source>Input</source>
   <translation>输入</translation>
  </message>
  <message>
   <source>Inputs</source>
   <translation>输入</translation>
  </message>
  <message>
   <source>Interrupted</source>
   <translation>中断</translation>
  </message>
  <message>
   <source>Is added to the variance, so that nothing is divided by zero.</source>
   <translation>加到方差上，以免除以零。</translation>
  </message>
  <message>
   <source>Is read where the text is 'own'; up to 20,000 characters.</source>
   <translation>文本选 “own” 时使用；最多 20,000 个字符。</translation>
  </message>
  <message>
   <source>It came to the text to stop at.</source>
   <translation>写到了停止文本。</translation>
  </message>
  <message>
   <source>It came {count} times in a row.</source>
   <translation>它连续出现了 {count} 次。</translation>
  </message>
  <message>
   <source>It can be added only where a layer's input is as wide as its output. Below each layer, + x says that it is, – that it is not.</source>
   <translation>只有当一层的输入与输出同样宽时才能相加。每一层下面，+ x 表示相加，– 表示不加。</translation>
  </message>
  <message>
   <source>It ended with an error. It can go on from its last checkpoint.</source>
   <translation>因错误而结束。可以从最后的检查点继续。</translation>
  </message>
  <message>
   <source>It gives {count} logits, one for each token of its vocabulary. The {shown} largest:</source>
   <translation>它给出 {count} 个 logits，词表中每个词元一个。最大的 {shown} 个是：</translation>
  </message>
  <message>
   <source>It has no checkpoint yet.</source>
   <translation>它还没有检查点。</translation>
  </message>
  <message>
   <source>It has taken all its steps.</source>
   <translation>已走完所有步。</translation>
  </message>
  <message>
   <source>It has taken all its steps. To train longer, run it again with more.</source>
   <translation>它已走完所有步。想训练更久，请以更多步数再训练一次。</translation>
  </message>
  <message>
   <source>It is being written at this moment.</source>
   <translation>此刻正在写入。</translation>
  </message>
  <message>
   <source>It is on this computer already.</source>
   <translation>它已在这台电脑上。</translation>
  </message>
  <message>
   <source>It is one of your runs; only folders from elsewhere can be taken off the list.</source>
   <translation>这是你自己的训练；只有从别处添加的文件夹才能从列表中去掉。</translation>
  </message>
  <message>
   <source>It is process {n} on {host}, since {since}.</source>
   <translation>写入者是 {host} 上的进程 {n}，自 {since} 起。</translation>
  </message>
  <message>
   <source>It may be ended by the system, or take the whole computer down with it.</source>
   <translation>它可能被系统终止，或拖垮整台电脑。</translation>
  </message>
  <message>
   <source>It takes about {size}; {free} are free there.</source>
   <translation>约占 {size}；那里有 {free} 空闲。</translation>
  </message>
  <message>
   <source>It takes {needed} MB; {free} MB are free at {path}.</source>
   <translation>它需要 {needed} MB；{path} 处有 {free} MB 可用。</translation>
  </message>
  <message>
   <source>It takes {size} at {path}.</source>
   <translation>它在 {path}，占 {size}。</translation>
  </message>
  <message>
   <source>It was broken off, and nothing of it is left.</source>
   <translation>已中断，没有留下任何内容。</translation>
  </message>
  <message>
   <source>It was broken off. What is here already is kept: another time it goes on from there.</source>
   <translation>已中断。已下载的部分会保留，下次从那里继续。</translation>
  </message>
  <message>
   <source>It was cut off without an end. It can go on from its last checkpoint.</source>
   <translation>没有正常结束就中断了。可以从最后的检查点继续。</translation>
  </message>
  <message>
   <source>It was not evaluated yet.</source>
   <translation>还没有评估过。</translation>
  </message>
  <message>
   <source>It was stopped before all its steps. It can go on from there.</source>
   <translation>没走完就停止了。可以从那里继续。</translation>
  </message>
  <message>
   <source>Its distance from the mean of its row: {sum}. Double-click to change it.</source>
   <translation>它与本行均值之差：{sum}。双击即可修改。</translation>
  </message>
  <message>
   <source>Its program was ended from outside, perhaps by the system for its memory, or the computer went off. What was learned up to its last checkpoint is there.</source>
   <translation>它的程序被外部终止（可能是系统因内存不足而终止），或者计算机断电。到最后一个检查点为止学到的内容都还在。</translation>
  </message>
  <message>
   <source>KV cache</source>
   <translation>KV 缓存</translation>
  </message>
  <message>
   <source>Keep besides</source>
   <translation>另外保留</translation>
  </message>
  <message>
   <source>Keeps all branches in the model's run folder.</source>
   <translation>把所有分支存进该模型的训练文件夹。</translation>
  </message>
  <message>
   <source>Keys</source>
   <translation>键</translation>
  </message>
  <message>
   <source>Keys and values are made in the same way, by matrices of their own.</source>
   <translation>键和值同样得到，各用自己的矩阵。</translation>
  </message>
  <message>
   <source>Keys, cut into heads</source>
   <translation>键，分给各个头</translation>
  </message>
  <message>
   <source>Kind</source>
   <translation>类型</translation>
  </message>
  <message>
   <source>L is minus the mean of the logarithms of the probabilities p</source>
   <translation>L 等于各概率 p 的对数的平均值取负</translation>
  </message>
  <message>
   <source>Language</source>
   <translation>语言</translation>
  </message>
  <message>
   <source>Larger cells: also Ctrl with the wheel</source>
   <translation>放大格子：也可按住 Ctrl 滚动滚轮</translation>
  </message>
  <message>
   <source>Larger text</source>
   <translation>放大文字</translation>
  </message>
  <message>
   <source>Largest change of a weight</source>
   <translation>权重的最大变化</translation>
  </message>
  <message>
   <source>Later tokens are set to −∞: no token looks ahead. That half stays empty from here on.</source>
   <translation>后面的词元设为 −∞：谁也看不到后面。从这里起那一半都是空的。</translation>
  </message>
  <message>
   <source>Layer</source>
   <translation>层</translation>
  </message>
  <message>
   <source>Layer normalisation</source>
   <translation>层归一化</translation>
  </message>
  <message>
   <source>Layer sizes</source>
   <translation>各层宽度</translation>
  </message>
  <message>
   <source>Layer {layer}, {inputs} → {outputs}, {which}: ({added}) / {count} = {mean}, the mean of its weights' gradients without their signs.</source>
   <translation>第 {layer} 层，{inputs} → {outputs}，{which}：({added}) / {count} = {mean}，即其权重梯度的绝对值的平均。</translation>
  </message>
  <message>
   <source>Layer {layer}, {which}, {count} seeds: half of them are below {middle}, a tenth below {low}, a tenth above {high}.</source>
   <translation>第 {layer} 层，{which}，{count} 个种子：一半低于 {middle}，十分之一低于 {low}，十分之一高于 {high}。</translation>
  </message>
  <message>
   <source>Layer {n}</source>
   <translation>第 {n} 层</translation>
  </message>
  <message>
   <source>LayerNorm</source>
   <translation>层归一化</translation>
  </message>
  <message>
   <source>LayerNorm's shift begins at</source>
   <translation>层归一化平移的初值</translation>
  </message>
  <message>
   <source>Layers</source>
   <translation>层</translation>
  </message>
  <message>
   <source>Layers: what the model would say after each of them, so that one sees the answer form.</source>
   <translation>各层：模型在每一层之后会说什么，由此看到答案如何形成。</translation>
  </message>
  <message>
   <source>Learn</source>
   <translation>学习</translation>
  </message>
  <message>
   <source>Learning and writing</source>
   <translation>学习与写作</translation>
  </message>
  <message>
   <source>Learning rate</source>
   <translation>学习率</translation>
  </message>
  <message>
   <source>Learning rate over the run</source>
   <translation>整个训练的学习率</translation>
  </message>
  <message>
   <source>Learning runs backwards: from the loss at the end each weight is told how much to change, which is its gradient. What reaches the first layer is a product with a factor J for each layer behind it, and the factors are mostly small: the more layers, the less arrives.</source>
   <translation>学习是反向进行的：从末端的损失出发，告诉每个权重该改变多少，这就是它的梯度。到达第一层的是一个乘积，它后面的每一层各贡献一个因子 J，而这些因子大多很小：层数越多，到达的就越少。</translation>
  </message>
  <message>
   <source>Learning: train()</source>
   <translation>学习：train()</translation>
  </message>
  <message>
   <source>Leave out the top</source>
   <translation>略去顶部</translation>
  </message>
  <message>
   <source>Left</source>
   <translation>左</translation>
  </message>
  <message>
   <source>Lesson</source>
   <translation>课程</translation>
  </message>
  <message>
   <source>Lesson or experiment</source>
   <translation>课程或实验</translation>
  </message>
  <message>
   <source>Lessons</source>
   <translation>课程</translation>
  </message>
  <message>
   <source>Lessons (*.toml *.gptlesson)</source>
   <translation>课程 (*.toml *.gptlesson)</translation>
  </message>
  <message>
   <source>Lessons and experiments</source>
   <translation>课程与实验</translation>
  </message>
  <message>
   <source>Lets the model write one token more (S)</source>
   <translation>让模型再写一个词元（S）</translation>
  </message>
  <message>
   <source>Light</source>
   <translation>浅色</translation>
  </message>
  <message>
   <source>Line ends</source>
   <translation>换行符</translation>
  </message>
  <message>
   <source>Linear</source>
   <translation>线性层</translation>
  </message>
  <message>
   <source>Linear, four times as wide</source>
   <translation>线性层，宽四倍</translation>
  </message>
  <message>
   <source>Linear, narrow again</source>
   <translation>线性层，回到原宽</translation>
  </message>
  <message>
   <source>Linear: as nn.Linear draws them, around 0. rand: torch.rand, from 0 to 1.</source>
   <translation>线性层：按 nn.Linear 抽取，在 0 左右。rand：torch.rand，从 0 到 1。</translation>
  </message>
  <message>
   <source>Live</source>
   <translation>进行中</translation>
  </message>
  <message>
   <source>Loading</source>
   <translation>正在载入</translation>
  </message>
  <message>
   <source>Loading the model …</source>
   <translation>正在载入模型 …</translation>
  </message>
  <message>
   <source>Loading the models …</source>
   <translation>正在载入两个模型 …</translation>
  </message>
  <message>
   <source>Locked by the lesson</source>
   <translation>课程锁定了此项</translation>
  </message>
  <message>
   <source>Locked by your instructor</source>
   <translation>已被教师锁定</translation>
  </message>
  <message>
   <source>Log scale</source>
   <translation>对数刻度</translation>
  </message>
  <message>
   <source>Logarithmic</source>
   <translation>对数</translation>
  </message>
  <message>
   <source>Logit</source>
   <translation>Logit</translation>
  </message>
  <message>
   <source>Logits</source>
   <translation>Logits</translation>
  </message>
  <message>
   <source>Looking at the text …</source>
   <translation>正在查看文本 …</translation>
  </message>
  <message>
   <source>Looking at what is in it …</source>
   <translation>正在查看其中的内容 …</translation>
  </message>
  <message>
   <source>Looking at what is on this computer …</source>
   <translation>正在查看这台电脑上有什么 …</translation>
  </message>
  <message>
   <source>Loss</source>
   <translation>损失</translation>
  </message>
  <message>
   <source>Loss after</source>
   <translation>之后的损失</translation>
  </message>
  <message>
   <source>Loss and the others by their logarithm</source>
   <translation>损失等以对数显示</translation>
  </message>
  <message>
   <source>Loss before</source>
   <translation>之前的损失</translation>
  </message>
  <message>
   <source>Loss while training, in nats per token</source>
   <translation>训练过程中的损失，单位：奈特/词元</translation>
  </message>
  <message>
   <source>Loss, in nats per token</source>
   <translation>损失，奈特/词元</translation>
  </message>
  <message>
   <source>Lowest rate</source>
   <translation>最低学习率</translation>
  </message>
  <message>
   <source>MB</source>
   <translation>MB</translation>
  </message>
  <message>
   <source>Make your model wider, then deeper: the blocks grow with the square of the width, the embeddings only with the width itself. In a small model most numbers are embeddings, in a large one nearly none.</source>
   <translation>先把自己的模型变宽，再变深：块随宽度的平方增长，嵌入只随宽度本身增长。小模型里大多数的数是嵌入，大模型里嵌入所占无几。</translation>
  </message>
  <message>
   <source>Makes it again (Ctrl+Shift+Z)</source>
   <translation>重做一次（Ctrl+Shift+Z）</translation>
  </message>
  <message>
   <source>Mark a branch behind a fork; the beginning that all have in common cannot be removed.</source>
   <translation>请选中岔口之后的分支；所有分支共有的开头不能移除。</translation>
  </message>
  <message>
   <source>Marks on the bars show how often each token came. Other dials draw again with the same seed; another press takes the next seed.</source>
   <translation>条形上的标记显示每个词元出现的频率。改动采样参数会用同一种子重抽；再按一次则用下一个种子。</translation>
  </message>
  <message>
   <source>Mask</source>
   <translation>掩码</translation>
  </message>
  <message>
   <source>Mask first, then softmax</source>
   <translation>先掩码，再 softmax</translation>
  </message>
  <message>
   <source>Masked</source>
   <translation>加掩码</translation>
  </message>
  <message>
   <source>Matrix</source>
   <translation>矩阵</translation>
  </message>
  <message>
   <source>Mean absolute gradient of each layer's weights</source>
   <translation>每一层权重梯度绝对值的平均</translation>
  </message>
  <message>
   <source>Mean absolute gradient of each layer's weights, in powers of ten</source>
   <translation>每层权重的梯度绝对值的均值，以 10 的幂为刻度</translation>
  </message>
  <message>
   <source>Mean of the matrix, averaged over the draws so far</source>
   <translation>矩阵的平均值，对至今各次抽取取平均</translation>
  </message>
  <message>
   <source>Mean over the first {n} draws: {average}</source>
   <translation>前 {n} 次抽取的平均值：{average}</translation>
  </message>
  <message>
   <source>Measured for training: at most {much} of it.</source>
   <translation>其中实测训练最多占用 {much}。</translation>
  </message>
  <message>
   <source>Measuring</source>
   <translation>评估</translation>
  </message>
  <message>
   <source>Memory</source>
   <translation>内存</translation>
  </message>
  <message>
   <source>Memory on {device}, where {free} are free. To train: with a batch of {batch} and a context of {context}.</source>
   <translation>{device} 上的内存，其中 {free} 空闲。训练按批大小 {batch}、上下文长度 {context} 计算。</translation>
  </message>
  <message>
   <source>Memory to generate</source>
   <translation>生成所需内存</translation>
  </message>
  <message>
   <source>Memory to train</source>
   <translation>训练所需内存</translation>
  </message>
  <message>
   <source>Memory, MB</source>
   <translation>内存，MB</translation>
  </message>
  <message>
   <source>Memory, in MB</source>
   <translation>内存，单位 MB</translation>
  </message>
  <message>
   <source>Memory: {memory}.</source>
   <translation>内存：{memory}。</translation>
  </message>
  <message>
   <source>Memory: {memory}.
Time: {time}.</source>
   <translation>内存：{memory}。
时间：{time}。</translation>
  </message>
  <message>
   <source>Merges done</source>
   <translation>已完成的合并</translation>
  </message>
  <message>
   <source>Min-p</source>
   <translation>Min-p</translation>
  </message>
  <message>
   <source>Minutes</source>
   <translation>分钟</translation>
  </message>
  <message>
   <source>Mixes what the heads have found.</source>
   <translation>把各个头找到的东西混合起来。</translation>
  </message>
  <message>
   <source>Model</source>
   <translation>模型</translation>
  </message>
  <message>
   <source>Model of the left side</source>
   <translation>左边的模型</translation>
  </message>
  <message>
   <source>Model of the right side</source>
   <translation>右边的模型</translation>
  </message>
  <message>
   <source>Model's logits</source>
   <translation>模型的 logits</translation>
  </message>
  <message>
   <source>Model: {name}</source>
   <translation>模型：{name}</translation>
  </message>
  <message>
   <source>Models that came from elsewhere</source>
   <translation>来自别处的模型</translation>
  </message>
  <message>
   <source>Models that came from elsewhere …</source>
   <translation>来自别处的模型 …</translation>
  </message>
  <message>
   <source>Models to download</source>
   <translation>可下载的模型</translation>
  </message>
  <message>
   <source>More</source>
   <translation>更多</translation>
  </message>
  <message>
   <source>More settings</source>
   <translation>更多设置</translation>
  </message>
  <message>
   <source>Most surprising</source>
   <translation>最令人惊讶</translation>
  </message>
  <message>
   <source>Move the model {name} to the trash?</source>
   <translation>要把模型 {name} 移到回收站吗？</translation>
  </message>
  <message>
   <source>Move the run {run} to the trash?</source>
   <translation>把训练 {run} 移到回收站吗？</translation>
  </message>
  <message>
   <source>Move to the trash</source>
   <translation>移到回收站</translation>
  </message>
  <message>
   <source>Move to the trash …</source>
   <translation>移到回收站 …</translation>
  </message>
  <message>
   <source>Moves the run's folder to the trash</source>
   <translation>把这次训练的文件夹移到回收站</translation>
  </message>
  <message>
   <source>Name</source>
   <translation>名称</translation>
  </message>
  <message>
   <source>Name …</source>
   <translation>命名 …</translation>
  </message>
  <message>
   <source>Names the marked branch (F2).</source>
   <translation>给选中的分支命名（F2）。</translation>
  </message>
  <message>
   <source>Nearest after training</source>
   <translation>训练后最近</translation>
  </message>
  <message>
   <source>Nearest before training</source>
   <translation>训练前最近</translation>
  </message>
  <message>
   <source>Nearest to “{token}”, id {id}</source>
   <translation>与“{token}”最近，id {id}</translation>
  </message>
  <message>
   <source>Neighbours</source>
   <translation>近邻</translation>
  </message>
  <message>
   <source>Neighbours: which tokens the model holds for alike, before it was trained and after.</source>
   <translation>近邻：训练前后，模型认为哪些词元相近。</translation>
  </message>
  <message>
   <source>New token {n}</source>
   <translation>新词元 {n}</translation>
  </message>
  <message>
   <source>New token {n}: {left} and {right}</source>
   <translation>新词元 {n}：{left} 和 {right}</translation>
  </message>
  <message>
   <source>New token {n}: {left} and {right}, {bits} bit apart</source>
   <translation>新词元 {n}：{left} 和 {right}，相距 {bits} 比特</translation>
  </message>
  <message>
   <source>New tokens</source>
   <translation>新词元数</translation>
  </message>
  <message>
   <source>New weights, since {name} does not fit: {why}.</source>
   <translation>已改用新权重，因为 {name} 不匹配：{why}。</translation>
  </message>
  <message>
   <source>New, drawn from the seed</source>
   <translation>全新，由种子抽取</translation>
  </message>
  <message>
   <source>Next</source>
   <translation>下一步</translation>
  </message>
  <message>
   <source>Next step</source>
   <translation>下一步</translation>
  </message>
  <message>
   <source>Next, “{left}” and “{right}” become “{both}”: its rank, {rank}, is the lowest of all pairs. It was learned as merge {number} of {all}.</source>
   <translation>接下来“{left}”与“{right}”合并成“{both}”：它的排名 {rank} 在所有相邻对中最小。这是 {all} 次合并中学到的第 {number} 次。</translation>
  </message>
  <message>
   <source>No checkpoint had been saved yet. Start the run again with the processor (cpu).</source>
   <translation>尚未保存任何检查点。请用处理器 (cpu) 重新开始此次运行。</translation>
  </message>
  <message>
   <source>No colours: the text alone.</source>
   <translation>不着色：只有文本。</translation>
  </message>
  <message>
   <source>No mask</source>
   <translation>无掩码</translation>
  </message>
  <message>
   <source>No published checksum is known; it is checked against the server's own.</source>
   <translation>没有已知的公布校验和；将按服务器自己给出的校验和检查。</translation>
  </message>
  <message>
   <source>No runs yet</source>
   <translation>还没有训练记录</translation>
  </message>
  <message>
   <source>No smaller setting fits into the memory that is free. Close other programs.</source>
   <translation>没有更小的设置能放进空闲内存。请关闭其他程序。</translation>
  </message>
  <message>
   <source>No text yet. Let the model write one, and look inside it here.</source>
   <translation>还没有文本。先让模型写一段，再在这里查看它的内部。</translation>
  </message>
  <message>
   <source>No text yet. Let the model write one: each candidate that you choose in its place makes a branch here.</source>
   <translation>还没有文本。先让模型写一段：每当你换选一个候选词元，这里就多出一个分支。</translation>
  </message>
  <message>
   <source>No token sees another here. And yet two thirds of a block's parameters are in this module.</source>
   <translation>在这里词元互不相见。然而一个块的参数有三分之二在这个模块里。</translation>
  </message>
  <message>
   <source>No top-k</source>
   <translation>不用 top-k</translation>
  </message>
  <message>
   <source>No two neighbours are left that were ever merged. The word in tokens: {pieces}</source>
   <translation>再没有学过合并的相邻对。这个词的词元：{pieces}</translation>
  </message>
  <message>
   <source>Nobody has to say what is right: the text does. A window over the tokens is the input, and the same window one token further on is the target. At each place the model is to say the token that comes next.</source>
   <translation>不需要谁来给出答案：文本自己就是答案。词元上的一个窗口是输入，同一个窗口右移一个词元就是目标。在每个位置，模型要说出下一个词元。</translation>
  </message>
  <message>
   <source>Norms</source>
   <translation>归一化层</translation>
  </message>
  <message>
   <source>Not in the text yet: it stays {x}</source>
   <translation>文本中还没有：仍为 {x}</translation>
  </message>
  <message>
   <source>Nothing</source>
   <translation>无</translation>
  </message>
  <message>
   <source>Nothing can be kept: the folder {path} cannot be written to ({why}). You can look at everything, but no run and no model can be saved. Name a folder that can be written to in GPTSTUDIO_HOME and start again.</source>
   <translation>什么都无法保存：文件夹 {path} 不可写入（{why}）。您可以查看所有内容，但无法保存任何训练或模型。请在 GPTSTUDIO_HOME 中指定一个可写入的文件夹，然后重新启动。</translation>
  </message>
  <message>
   <source>Nothing was drawn yet</source>
   <translation>还没有抽取</translation>
  </message>
  <message>
   <source>Now there is something to learn. Three matrices turn each word into a query (what it looks for), a key (what it is found by) and a value (what it hands over). The scores are divided by √d_k: long vectors have large products, and softmax would then give nearly everything to a single word.</source>
   <translation>现在有了可以学习的东西。三个矩阵把每个词变成查询（它在找什么）、键（凭什么找到它）和值（它交出什么）。分数要除以 √d_k：向量越长，点积越大，softmax 就会几乎全给某一个词。</translation>
  </message>
  <message>
   <source>Number format</source>
   <translation>数值格式</translation>
  </message>
  <message>
   <source>Number {at}: 1 × {value} and {count} times 0 × another number.</source>
   <translation>第 {at} 个数：1 × {value}，再加上 {count} 个 0 × 其他数。</translation>
  </message>
  <message>
   <source>Number {place} of “{word}” is {value}. Double-click to change it. To make the word the query, click the word.</source>
   <translation>“{word}”的第 {place} 个数是 {value}。双击可改。要以该词为查询，请单击该词。</translation>
  </message>
  <message>
   <source>Numbers (CSV)</source>
   <translation>数据 (CSV)</translation>
  </message>
  <message>
   <source>Numbers are struck out by chance, and the rest made larger.</source>
   <translation>随机划掉一些数，把其余的放大。</translation>
  </message>
  <message>
   <source>Numbers as the seeds print them</source>
   <translation>书中印出的数字</translation>
  </message>
  <message>
   <source>Numbers in a row of either matrix.</source>
   <translation>两个矩阵每行的数字个数。</translation>
  </message>
  <message>
   <source>Of one token: {numbers}.</source>
   <translation>其中一个词元：{numbers}。</translation>
  </message>
  <message>
   <source>Off: it is encoded like any other text, letter by letter.</source>
   <translation>关闭时，它像普通文本一样逐字编码。</translation>
  </message>
  <message>
   <source>Off: the model is being used, and nothing is struck.</source>
   <translation>关闭：模型在使用中，什么也不划去。</translation>
  </message>
  <message>
   <source>On some training batches, dropout off</source>
   <translation>在若干训练批次上，关闭 Dropout</translation>
  </message>
  <message>
   <source>On the attention weights. Empty: the same as Rate.</source>
   <translation>在注意力权重上。留空：与比率相同。</translation>
  </message>
  <message>
   <source>On the disk</source>
   <translation>磁盘占用</translation>
  </message>
  <message>
   <source>On the step's own batch, dropout on</source>
   <translation>在该步自己的批次上，开启 Dropout</translation>
  </message>
  <message>
   <source>On the text held back, dropout off</source>
   <translation>在留出的文本上，关闭 Dropout</translation>
  </message>
  <message>
   <source>On the way of this one text {struck} of {all} numbers are struck.</source>
   <translation>这一段文本一路上，{all} 个数中划去了 {struck} 个。</translation>
  </message>
  <message>
   <source>One attention</source>
   <translation>一个注意力</translation>
  </message>
  <message>
   <source>One branch so far. For another, choose a token of the text, and another candidate under Choices.</source>
   <translation>目前只有一个分支。想要另一个，请选中文本中的一个词元，再到“候选”里选另一个词元。</translation>
  </message>
  <message>
   <source>One column more</source>
   <translation>增加一列</translation>
  </message>
  <message>
   <source>One feed forward</source>
   <translation>一个前馈网络</translation>
  </message>
  <message>
   <source>One id, six tokens</source>
   <translation>一个 ID，六个词元</translation>
  </message>
  <message>
   <source>One input: what each activation makes of it.</source>
   <translation>一个输入：看每个激活函数把它变成什么。</translation>
  </message>
  <message>
   <source>One layer less</source>
   <translation>减少一层</translation>
  </message>
  <message>
   <source>One matrix</source>
   <translation>一个矩阵</translation>
  </message>
  <message>
   <source>One matrix both to read tokens and to predict them, as OpenAI's GPT-2 has it; the seeds keep two.</source>
   <translation>读入词元和预测词元用同一个矩阵，如 OpenAI 的 GPT-2；各份笔记用两个。</translation>
  </message>
  <message>
   <source>One merge back</source>
   <translation>后退一次合并</translation>
  </message>
  <message>
   <source>One merge on</source>
   <translation>前进一次合并</translation>
  </message>
  <message>
   <source>One more layer, as wide as the first</source>
   <translation>增加一层，与第一层同宽</translation>
  </message>
  <message>
   <source>One number for each of the nine words; the larger, the likelier.</source>
   <translation>九个词各一个数；越大越可能。</translation>
  </message>
  <message>
   <source>One number for how wrong a model is.</source>
   <translation>用一个数说明模型错了多少。</translation>
  </message>
  <message>
   <source>One of the seeds gives its model biases, and lets it read a batch in training mode before. That changes no weight, so it is left out here; the biases change the text.</source>
   <translation>有一份原文给模型加了偏置，并事先让它在训练模式下读过一个批次。这不改变任何权重，所以这里省去；改变文本的是偏置。</translation>
  </message>
  <message>
   <source>One of the seeds' temperatures</source>
   <translation>原文用过的一个温度</translation>
  </message>
  <message>
   <source>One position back</source>
   <translation>后退一个位置</translation>
  </message>
  <message>
   <source>One position on</source>
   <translation>前进一个位置</translation>
  </message>
  <message>
   <source>One row more</source>
   <translation>增加一行</translation>
  </message>
  <message>
   <source>One run is ticked</source>
   <translation>勾选了一次训练</translation>
  </message>
  <message>
   <source>One step</source>
   <translation>单步详情</translation>
  </message>
  <message>
   <source>One token's way through the model, shape by shape.</source>
   <translation>一个词元穿过模型的路程，逐个形状地看。</translation>
  </message>
  <message>
   <source>Ones, half of them struck</source>
   <translation>全为 1，划去一半</translation>
  </message>
  <message>
   <source>Open a file …</source>
   <translation>打开文件 …</translation>
  </message>
  <message>
   <source>Open a folder of weights …</source>
   <translation>打开权重文件夹 …</translation>
  </message>
  <message>
   <source>Open a lesson</source>
   <translation>打开课程</translation>
  </message>
  <message>
   <source>Open a lesson …</source>
   <translation>打开课程 …</translation>
  </message>
  <message>
   <source>Open in Train</source>
   <translation>在“训练”中打开</translation>
  </message>
  <message>
   <source>Open texts …</source>
   <translation>打开文本 …</translation>
  </message>
  <message>
   <source>Open tree</source>
   <translation>打开分支树</translation>
  </message>
  <message>
   <source>Open weights</source>
   <translation>打开权重</translation>
  </message>
  <message>
   <source>Open weights …</source>
   <translation>打开权重 …</translation>
  </message>
  <message>
   <source>Opens it in the file manager</source>
   <translation>在文件管理器中打开</translation>
  </message>
  <message>
   <source>Opens its best checkpoint in the Generate tab</source>
   <translation>在“生成”页打开它的最佳检查点</translation>
  </message>
  <message>
   <source>Opens the run's folder in the file manager</source>
   <translation>在文件管理器中打开这次训练的文件夹</translation>
  </message>
  <message>
   <source>Opens this checkpoint in the Generate tab</source>
   <translation>在“生成”页打开这个检查点</translation>
  </message>
  <message>
   <source>Optimizer</source>
   <translation>优化器设置</translation>
  </message>
  <message>
   <source>Or drop .txt and .md files on the window</source>
   <translation>或把 .txt 和 .md 文件拖到窗口上</translation>
  </message>
  <message>
   <source>Or drop a .txt file here</source>
   <translation>或把 .txt 文件拖到这里</translation>
  </message>
  <message>
   <source>Order</source>
   <translation>顺序</translation>
  </message>
  <message>
   <source>Other bracket</source>
   <translation>括号放错</translation>
  </message>
  <message>
   <source>Others came before it; the details name them all.</source>
   <translation>在它之前还有别的错误；详细信息中都有列出。</translation>
  </message>
  <message>
   <source>Output layer</source>
   <translation>输出层</translation>
  </message>
  <message>
   <source>Output layer: logits</source>
   <translation>输出层：logits</translation>
  </message>
  <message>
   <source>Output projection</source>
   <translation>输出投影</translation>
  </message>
  <message>
   <source>Over</source>
   <translation>横轴</translation>
  </message>
  <message>
   <source>P, rows used</source>
   <translation>P，用到的行</translation>
  </message>
  <message>
   <source>Packing {name}</source>
   <translation>正在打包 {name}</translation>
  </message>
  <message>
   <source>Parameters</source>
   <translation>参数</translation>
  </message>
  <message>
   <source>Parameters here</source>
   <translation>本模块的参数</translation>
  </message>
  <message>
   <source>Parameters of attention</source>
   <translation>注意力的参数</translation>
  </message>
  <message>
   <source>Parameters of five models, part by part</source>
   <translation>五个模型的参数，按部分列出</translation>
  </message>
  <message>
   <source>Parameters: {arithmetic}.</source>
   <translation>参数：{arithmetic}。</translation>
  </message>
  <message>
   <source>Part</source>
   <translation>部分</translation>
  </message>
  <message>
   <source>Parts of the model that training leaves as they are. With a tied output layer, token_embedding and output_layer are one matrix: either freezes both.</source>
   <translation>训练时保持不变的模型部分。若输出层与嵌入共用矩阵，token_embedding 和 output_layer 是同一个矩阵：冻结其一即冻结两者。</translation>
  </message>
  <message>
   <source>Paste or type any text, or drop a .txt file.</source>
   <translation>粘贴或输入任意文本，或把 .txt 文件拖进来。</translation>
  </message>
  <message>
   <source>Pause</source>
   <translation>暂停</translation>
  </message>
  <message>
   <source>Pause first: then the run can be taken step by step.</source>
   <translation>请先暂停：然后可以一步一步地训练。</translation>
  </message>
  <message>
   <source>Paused</source>
   <translation>已暂停</translation>
  </message>
  <message>
   <source>Paused. The next step takes the learning rate {rate:g}.</source>
   <translation>已暂停。下一步使用学习率 {rate:g}。</translation>
  </message>
  <message>
   <source>Pausing after this step …</source>
   <translation>这一步之后暂停 …</translation>
  </message>
  <message>
   <source>Peak of the program</source>
   <translation>程序内存峰值</translation>
  </message>
  <message>
   <source>Perplexity</source>
   <translation>困惑度</translation>
  </message>
  <message>
   <source>Pick to compare</source>
   <translation>选来比较</translation>
  </message>
  <message>
   <source>Picture (*.png)</source>
   <translation>图片 (*.png)</translation>
  </message>
  <message>
   <source>Picture (PNG)</source>
   <translation>图片 (PNG)</translation>
  </message>
  <message>
   <source>Placeholder's logits</source>
   <translation>占位模型的 logits</translation>
  </message>
  <message>
   <source>Play</source>
   <translation>播放</translation>
  </message>
  <message>
   <source>Point at a cell: its three likeliest tokens.</source>
   <translation>指向一个格子：显示它最可能的三个词元。</translation>
  </message>
  <message>
   <source>Point at a number to see how it comes about. Click a token, and the text goes on with it.</source>
   <translation>指向一个数，看它如何得来。单击一个词元，文本就从它接着写。</translation>
  </message>
  <message>
   <source>Point at the curves to read them.</source>
   <translation>指向曲线即可读数。</translation>
  </message>
  <message>
   <source>Points</source>
   <translation>点数</translation>
  </message>
  <message>
   <source>Position embedding</source>
   <translation>位置嵌入</translation>
  </message>
  <message>
   <source>Position of the first</source>
   <translation>第一个词元的位置</translation>
  </message>
  <message>
   <source>Position of the first token</source>
   <translation>第一个词元的位置</translation>
  </message>
  <message>
   <source>Position of the first token: {first} of 0 to {last}</source>
   <translation>第一个词元的位置：{first}（0 至 {last}）</translation>
  </message>
  <message>
   <source>Position {n}  ·  {all} tokens</source>
   <translation>位置 {n}  ·  {all} 个词元</translation>
  </message>
  <message>
   <source>Position {n}, drawn by the model</source>
   <translation>位置 {n}，由模型抽取</translation>
  </message>
  <message>
   <source>Position {n}, given, not drawn</source>
   <translation>位置 {n}，给定而非抽取</translation>
  </message>
  <message>
   <source>Position {n}, of the prompt</source>
   <translation>位置 {n}，属于提示词</translation>
  </message>
  <message>
   <source>Position {n}: {token} was chosen, with {p}</source>
   <translation>位置 {n}：以 {p} 选中了 {token}</translation>
  </message>
  <message>
   <source>Position {n}: {token} was given</source>
   <translation>位置 {n}：{token} 是给定的</translation>
  </message>
  <message>
   <source>Position {n}: {token} was given; the model gave it {p}</source>
   <translation>位置 {n}：{token} 是给定的；模型给它 {p}</translation>
  </message>
  <message>
   <source>Positions {a} to {b} of {n} tokens are shown.</source>
   <translation>显示 {n} 个词元中的位置 {a} 到 {b}。</translation>
  </message>
  <message>
   <source>Precision</source>
   <translation>精度</translation>
  </message>
  <message>
   <source>Preparing the model</source>
   <translation>正在准备模型</translation>
  </message>
  <message>
   <source>Preset</source>
   <translation>预设</translation>
  </message>
  <message>
   <source>Press Generate, and a text grows here token by token. Click any token to see what else could have come, choose another, and the text goes on from there.</source>
   <translation>按“生成”，文本就在这里逐个词元地长出来。单击任意词元，看看本来还可能出现什么；选另一个，文本就从那里接着写。</translation>
  </message>
  <message>
   <source>Probabilities</source>
   <translation>概率</translation>
  </message>
  <message>
   <source>Probabilities from</source>
   <translation>概率来自</translation>
  </message>
  <message>
   <source>Probabilities multiplied soon are too small for any computer; their logarithms are added instead. The mean is negative, so its sign is turned: 0 is the loss of a model that is always right and sure. Torch's cross_entropy does it all in one go, from the logits.</source>
   <translation>概率连乘很快会小到任何计算机都存不下，所以改为把它们的对数相加。平均值是负的，于是变个符号：永远正确而且确信的模型，损失为 0。torch 的 cross_entropy 从 logits 出发一步完成这一切。</translation>
  </message>
  <message>
   <source>Probability</source>
   <translation>概率</translation>
  </message>
  <message>
   <source>Probability {p}, a surprise of {bits} bits</source>
   <translation>概率 {p}，惊讶度 {bits} 比特</translation>
  </message>
  <message>
   <source>Products</source>
   <translation>点积</translation>
  </message>
  <message>
   <source>Prompt</source>
   <translation>提示词</translation>
  </message>
  <message>
   <source>Published GPT-2 models</source>
   <translation>已发布的 GPT-2 模型</translation>
  </message>
  <message>
   <source>Puts its model and settings into the panels, to be changed and started</source>
   <translation>把它的模型和设置填入面板，可修改后开始</translation>
  </message>
  <message>
   <source>Puts this notice away</source>
   <translation>收起此提示</translation>
  </message>
  <message>
   <source>PyTorch weights (*.pth)</source>
   <translation>PyTorch 权重 (*.pth)</translation>
  </message>
  <message>
   <source>Python script (*.py)</source>
   <translation>Python 脚本 (*.py)</translation>
  </message>
  <message>
   <source>Queries</source>
   <translation>查询</translation>
  </message>
  <message>
   <source>Queries, cut into heads</source>
   <translation>查询，分给各个头</translation>
  </message>
  <message>
   <source>Query</source>
   <translation>查询</translation>
  </message>
  <message>
   <source>Query times key: how well what the row's token seeks fits what the column's token offers.</source>
   <translation>查询乘以键：行词元所寻找的与列词元所提供的有多匹配。</translation>
  </message>
  <message>
   <source>Query, key, value bias</source>
   <translation>查询、键、值的偏置</translation>
  </message>
  <message>
   <source>Rank</source>
   <translation>名次</translation>
  </message>
  <message>
   <source>Rank {n}</source>
   <translation>名次 {n}</translation>
  </message>
  <message>
   <source>Rank {n} of the {k} that stay</source>
   <translation>在留下的 {k} 个中排第 {n}</translation>
  </message>
  <message>
   <source>Rate</source>
   <translation>比率</translation>
  </message>
  <message>
   <source>ReLU</source>
   <translation>ReLU</translation>
  </message>
  <message>
   <source>ReLU of x is the larger of 0 and x</source>
   <translation>ReLU(x) 是 0 与 x 中较大者</translation>
  </message>
  <message>
   <source>ReLU passes nothing of a negative number, and its slope there is 0: what sits there learns nothing.</source>
   <translation>ReLU 完全不让负数通过，那里的斜率也是 0：落在那里的神经元学不到东西。</translation>
  </message>
  <message>
   <source>Reach</source>
   <translation>范围</translation>
  </message>
  <message>
   <source>Read by {model}, up to token {done} of {all}.</source>
   <translation>由 {model} 读到第 {done} 个词元，共 {all} 个。</translation>
  </message>
  <message>
   <source>Read by {model}.</source>
   <translation>由 {model} 读完。</translation>
  </message>
  <message>
   <source>Read the text, as much of it as the context holds. Of the logits take those of the last position. The largest is that of the next token; argmax is its id. Append it, and read again.</source>
   <translation>读取文本，上下文能容纳多少就读多少。取最后一个位置的 logits，其中最大的属于下一个词元；argmax 就是它的编号。把它接在后面，再读一遍。</translation>
  </message>
  <message>
   <source>Reading the journals of {n} runs</source>
   <translation>正在读取 {n} 次训练的日志</translation>
  </message>
  <message>
   <source>Reading {name}</source>
   <translation>正在读取 {name}</translation>
  </message>
  <message>
   <source>Redo</source>
   <translation>重做</translation>
  </message>
  <message>
   <source>Reference arithmetic</source>
   <translation>参考运算</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>移除</translation>
  </message>
  <message>
   <source>Rename</source>
   <translation>重命名</translation>
  </message>
  <message>
   <source>Rep.</source>
   <translation>重复</translation>
  </message>
  <message>
   <source>Repetition</source>
   <translation>重复</translation>
  </message>
  <message>
   <source>Repetition penalty</source>
   <translation>重复惩罚系数</translation>
  </message>
  <message>
   <source>Replace</source>
   <translation>替换</translation>
  </message>
  <message>
   <source>Reset</source>
   <translation>重置</translation>
  </message>
  <message>
   <source>Reset to the book</source>
   <translation>恢复为书中的输入</translation>
  </message>
  <message>
   <source>Right</source>
   <translation>右</translation>
  </message>
  <message>
   <source>Row {row}, number {at}: {value}. Not looked up here.</source>
   <translation>第 {row} 行，第 {at} 个数：{value}。这里没有查这一行。</translation>
  </message>
  <message>
   <source>Row {row}, number {at}: {value}. This row is looked up.</source>
   <translation>第 {row} 行，第 {at} 个数：{value}。查的就是这一行。</translation>
  </message>
  <message>
   <source>Row “{word}”: with the mask first, softmax divides by {seen}, made of the {count} words up to it. With the mask last it has divided by {all}, made of all {every} words, later ones too.</source>
   <translation>“{word}”一行：先掩码时，softmax 的除数是 {seen}，来自到它为止的 {count} 个词。后掩码时，除数已是 {all}，来自全部 {every} 个词，包括后面的词。</translation>
  </message>
  <message>
   <source>Rows of numbers, one row for each example; all rows as long.</source>
   <translation>若干行数，每个样本一行；各行一样长。</translation>
  </message>
  <message>
   <source>Rows of numbers; all rows as long.</source>
   <translation>若干行数；各行一样长。</translation>
  </message>
  <message>
   <source>Rows of the position matrix: one for each position.</source>
   <translation>位置矩阵的行数：每个位置一行。</translation>
  </message>
  <message>
   <source>Rows of the token matrix: one for each token.</source>
   <translation>词元矩阵的行数：每个词元一行。</translation>
  </message>
  <message>
   <source>Run</source>
   <translation>训练名称</translation>
  </message>
  <message>
   <source>Run again …</source>
   <translation>再训练一次 …</translation>
  </message>
  <message>
   <source>Run as Python script …</source>
   <translation>训练存为 Python 脚本 …</translation>
  </message>
  <message>
   <source>Run as zip …</source>
   <translation>训练打包为 zip …</translation>
  </message>
  <message>
   <source>Run as zip, without checkpoints …</source>
   <translation>训练打包为 zip，不含检查点 …</translation>
  </message>
  <message>
   <source>Runs</source>
   <translation>训练记录</translation>
  </message>
  <message>
   <source>Sample</source>
   <translation>样本选择</translation>
  </message>
  <message>
   <source>Sample length</source>
   <translation>样本长度</translation>
  </message>
  <message>
   <source>Sample prompt</source>
   <translation>样本提示词</translation>
  </message>
  <message>
   <source>Samples</source>
   <translation>样本</translation>
  </message>
  <message>
   <source>Samples, the last step, and checkpoints</source>
   <translation>样本、最近一步和检查点</translation>
  </message>
  <message>
   <source>Sampling</source>
   <translation>采样</translation>
  </message>
  <message>
   <source>Save</source>
   <translation>保存</translation>
  </message>
  <message>
   <source>Save as HTML …</source>
   <translation>另存为 HTML …</translation>
  </message>
  <message>
   <source>Save as SVG …</source>
   <translation>另存为 SVG …</translation>
  </message>
  <message>
   <source>Save every, epochs</source>
   <translation>保存间隔，轮</translation>
  </message>
  <message>
   <source>Save every, s</source>
   <translation>保存间隔，秒</translation>
  </message>
  <message>
   <source>Save the probabilities as CSV …</source>
   <translation>把概率另存为 CSV …</translation>
  </message>
  <message>
   <source>Save the tree</source>
   <translation>保存分支树</translation>
  </message>
  <message>
   <source>Save tree …</source>
   <translation>保存分支树 …</translation>
  </message>
  <message>
   <source>Save …</source>
   <translation>保存 …</translation>
  </message>
  <message>
   <source>Saved after step {n}</source>
   <translation>已在第 {n} 步后保存</translation>
  </message>
  <message>
   <source>Saving</source>
   <translation>正在保存</translation>
  </message>
  <message>
   <source>Scale</source>
   <translation>缩放</translation>
  </message>
  <message>
   <source>Scale γ and shift β are learned, one of each for every column. Here all columns share them. They begin at 1 and 0, so that nothing is changed; one of the seeds begins the shift at 1 instead.</source>
   <translation>缩放 γ 与平移 β 是学习得到的，每列各有一个；这里所有列共用。它们从 1 和 0 开始，因此起初什么也不改变；有一份种子文档的平移从 1 开始。</translation>
  </message>
  <message>
   <source>Scaled</source>
   <translation>缩放后</translation>
  </message>
  <message>
   <source>Schedule</source>
   <translation>学习率调度</translation>
  </message>
  <message>
   <source>Score</source>
   <translation>打分</translation>
  </message>
  <message>
   <source>Score a text</source>
   <translation>给文本打分</translation>
  </message>
  <message>
   <source>Score again</source>
   <translation>重新打分</translation>
  </message>
  <message>
   <source>Scores</source>
   <translation>得分</translation>
  </message>
  <message>
   <source>Scores of later tokens become −∞.</source>
   <translation>后面词元的得分变为 −∞。</translation>
  </message>
  <message>
   <source>Scores: queries times keys</source>
   <translation>得分：查询乘以键</translation>
  </message>
  <message>
   <source>Second sentence</source>
   <translation>第二句</translation>
  </message>
  <message>
   <source>Second text</source>
   <translation>第二个文本</translation>
  </message>
  <message>
   <source>See the setting {name}.</source>
   <translation>请看设置“{name}”。</translation>
  </message>
  <message>
   <source>Seed</source>
   <translation>种子</translation>
  </message>
  <message>
   <source>Seed 001 multiplies the root with x alone. It is at most {apart} off, at x = {x}: too little to see in a plot. Only numbers side by side tell.</source>
   <translation>种子文档 001 的根号只乘 x。最多偏差 {apart}，在 x = {x} 处：图上看不出来，只有把数并排比较才看得出。</translation>
  </message>
  <message>
   <source>Seed 002 begins it at one, the others at zero.</source>
   <translation>笔记 002 从一开始，其余从零开始。</translation>
  </message>
  <message>
   <source>Seed set</source>
   <translation>设种子</translation>
  </message>
  <message>
   <source>Seed set once for both</source>
   <translation>两个网络只设一次种子</translation>
  </message>
  <message>
   <source>Seeds at once</source>
   <translation>同时用的种子数</translation>
  </message>
  <message>
   <source>Select a run first.</source>
   <translation>请先选择一次训练。</translation>
  </message>
  <message>
   <source>Sequence looked at</source>
   <translation>正在看的序列</translation>
  </message>
  <message>
   <source>Sequence {row}, position {place}: id {id}, so row {id} of E and row {place} of P.</source>
   <translation>序列 {row}，位置 {place}：ID 为 {id}，所以取 E 的第 {id} 行和 P 的第 {place} 行。</translation>
  </message>
  <message>
   <source>Settings</source>
   <translation>设置</translation>
  </message>
  <message>
   <source>Settings of this computer: {path}</source>
   <translation>本机设置：{path}</translation>
  </message>
  <message>
   <source>Seven ids</source>
   <translation>七个 ID</translation>
  </message>
  <message>
   <source>Several attentions side by side, each with three matrices of its own, can look for different things. Each makes a context of its own; they are put beside each other, and the next layer reads them all.</source>
   <translation>几个注意力并排，各有自己的三个矩阵，可以寻找不同的东西。每个都得出自己的上下文向量；它们拼接在一起，由下一层全部读取。</translation>
  </message>
  <message>
   <source>Shapes</source>
   <translation>形状</translation>
  </message>
  <message>
   <source>Shapes need no numbers and come at once. Logits need all the weights: seconds, and much memory.</source>
   <translation>形状不需要数，立刻得到。logits 需要全部权重：要几秒钟和很多内存。</translation>
  </message>
  <message>
   <source>Share of the numbers, in percent</source>
   <translation>所占比例（百分比）</translation>
  </message>
  <message>
   <source>Shift</source>
   <translation>平移</translation>
  </message>
  <message>
   <source>Shift begun at 0</source>
   <translation>平移从 0 开始</translation>
  </message>
  <message>
   <source>Shift begun at 1</source>
   <translation>平移从 1 开始</translation>
  </message>
  <message>
   <source>Shortcuts</source>
   <translation>快捷连接</translation>
  </message>
  <message>
   <source>Show all</source>
   <translation>显示全部</translation>
  </message>
  <message>
   <source>Show me the code</source>
   <translation>显示代码</translation>
  </message>
  <message>
   <source>Show the folder</source>
   <translation>显示文件夹</translation>
  </message>
  <message>
   <source>Show the last score</source>
   <translation>显示上次的打分</translation>
  </message>
  <message>
   <source>Shown above: tokens {first} to {last}</source>
   <translation>上方显示：词元 {first} 至 {last}</translation>
  </message>
  <message>
   <source>Shows branches that were saved before.</source>
   <translation>显示以前保存的分支。</translation>
  </message>
  <message>
   <source>Shows the dials of both sides, or puts them away</source>
   <translation>显示或收起两边的采样参数</translation>
  </message>
  <message>
   <source>Shows the run in the Train tab; one that is being written is followed</source>
   <translation>在“训练”页显示这次训练；正在写入的会持续跟踪</translation>
  </message>
  <message>
   <source>Shows the tanh form as one of the seeds writes it: the root is multiplied with x alone, not with the cube.</source>
   <translation>显示其中一份种子文档所写的 tanh 形式：根号只乘 x，没有乘立方项。</translation>
  </message>
  <message>
   <source>Shows which models there are and how large they are</source>
   <translation>显示有哪些模型以及它们有多大</translation>
  </message>
  <message>
   <source>Six probabilities by hand</source>
   <translation>手工的六个概率</translation>
  </message>
  <message>
   <source>Six words look at each other, from nothing to several heads.</source>
   <translation>六个词彼此查看，从零开始直到多个头。</translation>
  </message>
  <message>
   <source>Size</source>
   <translation>大小</translation>
  </message>
  <message>
   <source>Sizes</source>
   <translation>规模</translation>
  </message>
  <message>
   <source>Sliding windows</source>
   <translation>滑动窗口</translation>
  </message>
  <message>
   <source>Slope</source>
   <translation>斜率</translation>
  </message>
  <message>
   <source>Smaller cells, until all are in view</source>
   <translation>缩小格子，直到全部可见</translation>
  </message>
  <message>
   <source>Smaller steps of the weights</source>
   <translation>权重的步子更小</translation>
  </message>
  <message>
   <source>Smaller text</source>
   <translation>缩小文字</translation>
  </message>
  <message>
   <source>Smoothing</source>
   <translation>平滑</translation>
  </message>
  <message>
   <source>So far both write the same</source>
   <translation>到目前为止两边写的相同</translation>
  </message>
  <message>
   <source>So many seeds, from the first on; more than one are shown as bands.</source>
   <translation>从第一个起这么多个种子；多于一个时显示为带状。</translation>
  </message>
  <message>
   <source>So many that hardly anything arrives</source>
   <translation>多到几乎什么也到不了</translation>
  </message>
  <message>
   <source>So no word is unknown: at worst it falls apart into bytes. Type anything, and click a word to take it apart.</source>
   <translation>所以没有未知的词：最坏也只是散成字节。随便输入些什么，再点击一个词把它拆开。</translation>
  </message>
  <message>
   <source>Softmax</source>
   <translation>Softmax</translation>
  </message>
  <message>
   <source>Softmax first, then mask</source>
   <translation>先 softmax，再掩码</translation>
  </message>
  <message>
   <source>Softmax: weights</source>
   <translation>Softmax：权重</translation>
  </message>
  <message>
   <source>Something went wrong that should not: {what}</source>
   <translation>出了不该出的问题：{what}</translation>
  </message>
  <message>
   <source>Something went wrong that should not: {what}.</source>
   <translation>出现了不该发生的问题：{what}。</translation>
  </message>
  <message>
   <source>Speed of playing</source>
   <translation>播放速度</translation>
  </message>
  <message>
   <source>Split</source>
   <translation>划分</translation>
  </message>
  <message>
   <source>Stage</source>
   <translation>阶段</translation>
  </message>
  <message>
   <source>Start</source>
   <translation>开始</translation>
  </message>
  <message>
   <source>Start anyway</source>
   <translation>仍然开始</translation>
  </message>
  <message>
   <source>Start as it was left</source>
   <translation>按上次的状态启动</translation>
  </message>
  <message>
   <source>Start without the last session</source>
   <translation>不恢复上次会话</translation>
  </message>
  <message>
   <source>State</source>
   <translation>状态</translation>
  </message>
  <message>
   <source>Stays at this token (P).</source>
   <translation>停在这个词元（P）。</translation>
  </message>
  <message>
   <source>Step</source>
   <translation>单步</translation>
  </message>
  <message>
   <source>Step takes one step and shows here what it did to the loss and to the weights.</source>
   <translation>“单步”走一步，并在这里显示它对损失和权重做了什么。</translation>
  </message>
  <message>
   <source>Step {n}</source>
   <translation>第 {n} 步</translation>
  </message>
  <message>
   <source>Step {n} left this batch's loss as it was.</source>
   <translation>第 {n} 步没有改变这一批的损失。</translation>
  </message>
  <message>
   <source>Step {n} of {count}</source>
   <translation>第 {n} 步，共 {count} 步</translation>
  </message>
  <message>
   <source>Step {n}: this batch's loss fell by {by}.</source>
   <translation>第 {n} 步：这一批的损失下降了 {by}。</translation>
  </message>
  <message>
   <source>Step {n}: this batch's loss rose by {by}. The step was too long for it, or went where earlier batches pulled.</source>
   <translation>第 {n} 步：这一批的损失上升了 {by}。步子对它来说太大，或走向了之前批次所拉的方向。</translation>
  </message>
  <message>
   <source>Step {n}: {rate}</source>
   <translation>第 {n} 步：{rate}</translation>
  </message>
  <message>
   <source>Step {step} of {count}</source>
   <translation>第 {step} 步，共 {count} 步</translation>
  </message>
  <message>
   <source>Steps</source>
   <translation>步数</translation>
  </message>
  <message>
   <source>Steps done</source>
   <translation>已完成步数</translation>
  </message>
  <message>
   <source>Stop</source>
   <translation>停止</translation>
  </message>
  <message>
   <source>Stop after this many steps instead. Empty: all epochs.</source>
   <translation>改为在这么多步之后停止。留空：所有轮次。</translation>
  </message>
  <message>
   <source>Stop at</source>
   <translation>停止文本</translation>
  </message>
  <message>
   <source>Stop at &lt;|endoftext|&gt;</source>
   <translation>遇 &lt;|endoftext|&gt; 停止</translation>
  </message>
  <message>
   <source>Stop training and close? The model is saved as it is after the step it is in.</source>
   <translation>停止训练并关闭吗？模型会在当前这一步之后按现状保存。</translation>
  </message>
  <message>
   <source>Stopped</source>
   <translation>已停止</translation>
  </message>
  <message>
   <source>Stopped.</source>
   <translation>已停止。</translation>
  </message>
  <message>
   <source>Stopped. Texts without figures were not read.</source>
   <translation>已停止。没有数值的文本尚未读取。</translation>
  </message>
  <message>
   <source>Stopped. The model is kept as it was; the Generate tab has it.</source>
   <translation>已停止。模型按当时的状态保存，可在“生成”页使用。</translation>
  </message>
  <message>
   <source>Stopping after this step …</source>
   <translation>这一步之后停止 …</translation>
  </message>
  <message>
   <source>Stored as</source>
   <translation>存储格式</translation>
  </message>
  <message>
   <source>Stride</source>
   <translation>步幅</translation>
  </message>
  <message>
   <source>Sum of both</source>
   <translation>两者之和</translation>
  </message>
  <message>
   <source>Surprise</source>
   <translation>惊讶度</translation>
  </message>
  <message>
   <source>SwiGLU gate</source>
   <translation>SwiGLU 的门</translation>
  </message>
  <message>
   <source>SwiGLU multiplies what two linear layers give; one of them goes through swish and is the gate. Drawn is the gate alone: what comes out where the other layer gives 1.</source>
   <translation>SwiGLU 把两个线性层的输出相乘；其中一个经过 swish，充当门。这里只画出门：即另一层给出 1 时的输出。</translation>
  </message>
  <message>
   <source>SwiGLU of x is swish of x times W, times x times V, number by number</source>
   <translation>SwiGLU(x) 等于 swish(xW) 与 xV 逐元素相乘</translation>
  </message>
  <message>
   <source>Table (*.csv)</source>
   <translation>表格 (*.csv)</translation>
  </message>
  <message>
   <source>Take off the list</source>
   <translation>从列表中去掉</translation>
  </message>
  <message>
   <source>Take the written text</source>
   <translation>取用写出的文本</translation>
  </message>
  <message>
   <source>Takes one step, shows what it did, and waits (S, or a full stop)</source>
   <translation>走一步，显示它做了什么，然后等待（S 或句点键）</translation>
  </message>
  <message>
   <source>Takes the last change back (Ctrl+Z)</source>
   <translation>撤销上一次更改（Ctrl+Z）</translation>
  </message>
  <message>
   <source>Takes the ticked texts to the Train tab</source>
   <translation>把勾选的文本带到“训练”页</translation>
  </message>
  <message>
   <source>Talk to it</source>
   <translation>与它对话</translation>
  </message>
  <message>
   <source>Temp.</source>
   <translation>温度</translation>
  </message>
  <message>
   <source>Temperature</source>
   <translation>温度</translation>
  </message>
  <message>
   <source>Temperature 0 leaves only the likeliest token, and this is it</source>
   <translation>温度为 0 时只留最可能的词元，就是这一个</translation>
  </message>
  <message>
   <source>Temperature {cool} against {warm}</source>
   <translation>温度 {cool} 对 {warm}</translation>
  </message>
  <message>
   <source>Text</source>
   <translation>文本</translation>
  </message>
  <message>
   <source>Text becomes numbers</source>
   <translation>文本变成数字</translation>
  </message>
  <message>
   <source>Text {n} of {all}</source>
   <translation>文本 {n} / {all}</translation>
  </message>
  <message>
   <source>Texts</source>
   <translation>文本集</translation>
  </message>
  <message>
   <source>Texts (*.txt *.md);;All (*)</source>
   <translation>文本 (*.txt *.md);;全部 (*)</translation>
  </message>
  <message>
   <source>Texts at once</source>
   <translation>文本数</translation>
  </message>
  <message>
   <source>Texts to learn from</source>
   <translation>用来学习的多篇文本</translation>
  </message>
  <message>
   <source>The Late Bell</source>
   <translation>The Late Bell</translation>
  </message>
  <message>
   <source>The Late Bell, a story that ships with GPT Studio</source>
   <translation>The Late Bell，GPT Studio 自带的故事</translation>
  </message>
  <message>
   <source>The Train tab shows the run that this window is training.</source>
   <translation>“训练”页正显示本窗口所做的训练。</translation>
  </message>
  <message>
   <source>The Train tab shows the settings of the run that this window is training.</source>
   <translation>“训练”页正显示本窗口所训练的设置。</translation>
  </message>
  <message>
   <source>The Verdict</source>
   <translation>The Verdict</translation>
  </message>
  <message>
   <source>The Verdict could not be had ({reason}). Train on the story that ships with GPT Studio, choose a file of your own, or put {file} into {folder}.</source>
   <translation>无法取得 The Verdict（{reason}）。请用 GPT Studio 自带的故事训练，选择自己的文件，或把 {file} 放入 {folder}。</translation>
  </message>
  <message>
   <source>The Verdict is not on this computer, so this is the story that ships with GPT Studio. The printed numbers are those of The Verdict: choose it on the Train tab, press Download it, and come back.</source>
   <translation>这台电脑上没有 The Verdict，所以这里用的是 GPT Studio 自带的故事。书中印出的数字属于 The Verdict：请在“训练”标签页选择它，点击“下载”，然后再回来。</translation>
  </message>
  <message>
   <source>The Verdict, Edith Wharton, 1908</source>
   <translation>The Verdict，伊迪丝·华顿，1908</translation>
  </message>
  <message>
   <source>The Verdict, the story that ships with GPT Studio, words of your own, or token ids.</source>
   <translation>The Verdict、GPT Studio 自带的故事、自己的文字，或词元 ID。</translation>
  </message>
  <message>
   <source>The beginning of the text, token by token</source>
   <translation>文本的开头，逐词元显示</translation>
  </message>
  <message>
   <source>The beginning, token by token</source>
   <translation>开头部分，逐词元显示</translation>
  </message>
  <message>
   <source>The book's .pth</source>
   <translation>书中的 .pth</translation>
  </message>
  <message>
   <source>The book's run</source>
   <translation>书中的训练</translation>
  </message>
  <message>
   <source>The branch at the left</source>
   <translation>左边的分支</translation>
  </message>
  <message>
   <source>The branch at the right</source>
   <translation>右边的分支</translation>
  </message>
  <message>
   <source>The branches of the text; the arrow keys walk along them, Enter goes there</source>
   <translation>文本的各个分支；方向键沿分支移动，Enter 前往</translation>
  </message>
  <message>
   <source>The chart as it is shown, as a picture</source>
   <translation>当前显示的图表，图片格式</translation>
  </message>
  <message>
   <source>The chart as it is shown, as lines</source>
   <translation>当前显示的图表，矢量格式</translation>
  </message>
  <message>
   <source>The chart could not be written to {path}. Choose another folder.</source>
   <translation>图表无法写入 {path}。请换一个文件夹。</translation>
  </message>
  <message>
   <source>The checkpoint {name} from before is kept: go on from there with the processor (cpu). To use the device again, start the program anew.</source>
   <translation>此前的检查点 {name} 已保留：请用处理器 (cpu) 从那里继续。要再次使用该设备，请重新启动本程序。</translation>
  </message>
  <message>
   <source>The chosen model has not been trained: it writes noise, and that is worth seeing once.</source>
   <translation>选中的模型没有训练过：它写的是噪声，但值得看一次。</translation>
  </message>
  <message>
   <source>The code that computes this page</source>
   <translation>计算本页的代码</translation>
  </message>
  <message>
   <source>The columns instead, over all rows. A column of equal numbers has variance 0: without epsilon that is 0 / 0, which is no number (–).</source>
   <translation>它按列进行，跨所有行。数都相等的列方差为 0：没有 ε 就是 0 / 0，不是数（–）。</translation>
  </message>
  <message>
   <source>The columns instead, over all rows: change one row, and the others change with it. Take rows away until one is left.</source>
   <translation>它按列进行，跨所有行：改动一行，其他行也随之改变。把行减到只剩一行试试。</translation>
  </message>
  <message>
   <source>The configuration says that {head} is the same matrix as {embedding}, and these weights hold two different ones. Programs read this in different ways, so it is not opened; if both are meant, write "tie_word_embeddings": false into config.json.</source>
   <translation>配置称 {head} 与 {embedding} 是同一个矩阵，而这些权重中两者不同。各种程序对此的解读不一，因此不予打开；如果两个都要保留，请在 config.json 中写入 "tie_word_embeddings": false。</translation>
  </message>
  <message>
   <source>The context of word i is the sum of all values times their weights.</source>
   <translation>词 i 的上下文向量是所有值乘以各自权重之和。</translation>
  </message>
  <message>
   <source>The context of word i is the sum of all values times what is left of their weights.</source>
   <translation>词 i 的上下文向量是所有值乘以剩余权重之和。</translation>
  </message>
  <message>
   <source>The context of word i is the sum of all words' numbers times their weights.</source>
   <translation>词 i 的上下文向量是所有词的数字乘以各自权重之和。</translation>
  </message>
  <message>
   <source>The contexts of all heads stand beside each other.</source>
   <translation>各头的上下文向量并排拼接。</translation>
  </message>
  <message>
   <source>The control '{name}' is not in this window; the step goes on without it.</source>
   <translation>此窗口里没有控件“{name}”；这一步不用它，继续进行。</translation>
  </message>
  <message>
   <source>The copy takes</source>
   <translation>副本占用</translation>
  </message>
  <message>
   <source>The curves go from minus this number to this number.</source>
   <translation>曲线从这个数的负值画到这个数。</translation>
  </message>
  <message>
   <source>The device failed.</source>
   <translation>设备出现故障。</translation>
  </message>
  <message>
   <source>The device that computed has failed: {what}. What was in its memory is lost.</source>
   <translation>进行计算的设备出现故障：{what}。其内存中的内容已丢失。</translation>
  </message>
  <message>
   <source>The device {device} is there and does not work: {why}. The processor (cpu) computes instead; to have the device, mend its driver and start the program again.</source>
   <translation>设备 {device} 存在，但无法工作：{why}。改由处理器 (cpu) 计算；要使用该设备，请修复其驱动程序并重新启动本程序。</translation>
  </message>
  <message>
   <source>The disk is full. Free some space and try again.</source>
   <translation>磁盘已满。请腾出空间后再试。</translation>
  </message>
  <message>
   <source>The download cannot be kept in {folder}: {why}. Make room there, or name another folder in HF_HOME in the environment. Then try again: what has come is kept.</source>
   <translation>下载内容无法保存到 {folder}：{why}。请在那里腾出空间，或用环境变量 HF_HOME 指定另一个文件夹，然后重试：已下载的部分会保留。</translation>
  </message>
  <message>
   <source>The feed-forward module</source>
   <translation>前馈网络模块</translation>
  </message>
  <message>
   <source>The file does not say into how many heads each layer divides its attention: its weights have the same shapes whatever the number. {n} is likely: it comes nearest to heads 64 wide, as OpenAI's are. Where you know n_heads of the code that trained it, choose that: with another number it writes nonsense.</source>
   <translation>文件没有说明每层的注意力分成多少个头：无论多少个，权重的形状都相同。{n} 个最有可能：这样每个头最接近 64 宽，OpenAI 的模型就是如此。若你知道训练它的代码中的 n_heads，请选那个数：换成别的个数，它写出的就是胡话。</translation>
  </message>
  <message>
   <source>The first layer's gradient is {without} the last's without shortcuts, and {with_shortcuts} with them.</source>
   <translation>第一层的梯度是最后一层的：没有快捷连接时 {without}，有快捷连接时 {with_shortcuts}。</translation>
  </message>
  <message>
   <source>The first row of the batch.</source>
   <translation>批次的第一行。</translation>
  </message>
  <message>
   <source>The first so many blocks are left wholly as they are: attention, feed-forward and norms.</source>
   <translation>最前面的这么多个块整个保持不变：注意力、前馈和归一化。</translation>
  </message>
  <message>
   <source>The first that were drawn</source>
   <translation>最先抽到的词</translation>
  </message>
  <message>
   <source>The first window</source>
   <translation>第一个窗口</translation>
  </message>
  <message>
   <source>The folder, which was added from elsewhere, stays where it is</source>
   <translation>从别处添加的文件夹留在原处</translation>
  </message>
  <message>
   <source>The four sizes of GPT-2</source>
   <translation>GPT-2 的四种规模</translation>
  </message>
  <message>
   <source>The future masked</source>
   <translation>掩去后面的词元</translation>
  </message>
  <message>
   <source>The input of window k: T tokens, from token k times the stride S on.</source>
   <translation>窗口 k 的输入：从第 k 乘步幅 S 个词元起的 T 个词元。</translation>
  </message>
  <message>
   <source>The journal of this run is shorter than it was when the checkpoint was saved: it was cut off. The model goes on exactly; what the journal told of some steps before is gone from the curves.</source>
   <translation>此次训练的日志比保存检查点时更短：它被截断了。模型会精确地继续训练；日志中此前若干步的记录已从曲线中消失。</translation>
  </message>
  <message>
   <source>The last characters test</source>
   <translation>用最后的字符测试</translation>
  </message>
  <message>
   <source>The last checkpoint is damaged; an earlier one is whole. What was learned since is lost.</source>
   <translation>最后一个检查点已损坏；更早的一个是完好的。此后学到的内容会丢失。</translation>
  </message>
  <message>
   <source>The last column away</source>
   <translation>去掉最后一列</translation>
  </message>
  <message>
   <source>The last row away</source>
   <translation>去掉最后一行</translation>
  </message>
  <message>
   <source>The last run took {took}.</source>
   <translation>上次训练用了 {took}。</translation>
  </message>
  <message>
   <source>The last term is not there when the two are tied: the output layer is the token embedding once more. OpenAI counts GPT-2 small so and says 124 million; the seeds keep two matrices and have 163 million.</source>
   <translation>如果两者共享权重，即输出层就是词元嵌入本身，就没有最后一项。OpenAI 这样计算 GPT-2 small，称其有 1.24 亿个参数；各份笔记保留两个矩阵，因此有 1.63 亿个。</translation>
  </message>
  <message>
   <source>The last texts test</source>
   <translation>用最后的文本测试</translation>
  </message>
  <message>
   <source>The last token would stand at position {last}, and the position matrix ends at {most}. Make the context larger, or the position smaller.</source>
   <translation>最后一个词元将位于位置 {last}，而位置矩阵到 {most} 为止。请加大上下文，或减小位置。</translation>
  </message>
  <message>
   <source>The length of these tokens as plain text, in UTF-8.</source>
   <translation>这些词元作为纯文本的长度，按 UTF-8 计。</translation>
  </message>
  <message>
   <source>The likeliest next tokens, stage by stage</source>
   <translation>最可能的下一个词元，逐阶段显示</translation>
  </message>
  <message>
   <source>The likeliest token always stays</source>
   <translation>最可能的词元总是保留</translation>
  </message>
  <message>
   <source>The likeliest tokens of both sides and their probabilities</source>
   <translation>两边最可能的词元及其概率</translation>
  </message>
  <message>
   <source>The longest gradient allowed; longer ones are shortened. 0: never.</source>
   <translation>允许的最大梯度长度；更长的会被缩短。0：从不。</translation>
  </message>
  <message>
   <source>The loss and the perplexity on one scale</source>
   <translation>同一标尺上的损失与困惑度</translation>
  </message>
  <message>
   <source>The loss of guessing every token with the same probability: ln of the vocabulary.</source>
   <translation>以相同概率猜每个词元时的损失：词表大小的自然对数。</translation>
  </message>
  <message>
   <source>The lowest validation loss, in nats per token: at step {n}</source>
   <translation>最低验证损失，奈特/词元：在第 {n} 步</translation>
  </message>
  <message>
   <source>The merges of the word</source>
   <translation>这个词的合并过程</translation>
  </message>
  <message>
   <source>The model chosen on Generate, for transformers or the book</source>
   <translation>“生成”页选中的模型，供 transformers 或书中代码使用</translation>
  </message>
  <message>
   <source>The model ended it, with &lt;|endoftext|&gt;.</source>
   <translation>模型以 &lt;|endoftext|&gt; 结束了文本。</translation>
  </message>
  <message>
   <source>The model had nothing before this token to expect it from.</source>
   <translation>这个词元之前没有任何内容，模型无从预期。</translation>
  </message>
  <message>
   <source>The model has a problem: see the Model panel.</source>
   <translation>模型设置有问题：请看“模型”面板。</translation>
  </message>
  <message>
   <source>The model has read up to “{token}”.</source>
   <translation>模型已读到“{token}”。</translation>
  </message>
  <message>
   <source>The model holds it for impossible</source>
   <translation>模型认为它不可能</translation>
  </message>
  <message>
   <source>The model in training, as it is now</source>
   <translation>正在训练的模型，此刻的状态</translation>
  </message>
  <message>
   <source>The model is at work in another view. Stop it, then come back to this step.</source>
   <translation>模型正在另一个视图里工作。请先停止它，再回到这一步。</translation>
  </message>
  <message>
   <source>The model is not on this computer yet, and the network was not asked, since HF_HUB_OFFLINE is set. Start GPT Studio without it.</source>
   <translation>这台电脑上还没有该模型；由于设置了 HF_HUB_OFFLINE，没有访问网络。请取消该设置后重新启动 GPT Studio。</translation>
  </message>
  <message>
   <source>The model is writing. What goes on inside is shown when it rests.</source>
   <translation>模型正在写。等它停下来再显示内部情况。</translation>
  </message>
  <message>
   <source>The model or the training has a problem: windows cannot be counted.</source>
   <translation>模型或训练设置有问题：无法计算窗口数。</translation>
  </message>
  <message>
   <source>The model read the last {n} up to there: that is its context.</source>
   <translation>模型读了到那里为止的最后 {n} 个：这就是它的上下文。</translation>
  </message>
  <message>
   <source>The model reads all {count} tokens: {ids}</source>
   <translation>模型读入全部 {count} 个词元：{ids}</translation>
  </message>
  <message>
   <source>The model reads only so many of the last tokens. Empty: as many as it can.</source>
   <translation>模型只读最后这么多个词元。留空：能读多少读多少。</translation>
  </message>
  <message>
   <source>The model reads {count} of {all} tokens: {ids}</source>
   <translation>模型读入 {all} 个词元中的 {count} 个：{ids}</translation>
  </message>
  <message>
   <source>The model was asked for {n} of these tokens; it has no opinion on the first of a text.</source>
   <translation>其中 {n} 个词元有模型给出的概率；对文本的第一个词元，模型没有看法。</translation>
  </message>
  <message>
   <source>The model was not asked for it: it is the first that it reads, or lies before its context.</source>
   <translation>模型没有预测它：它是读到的第一个，或在上下文之前。</translation>
  </message>
  <message>
   <source>The model was wanted for something else. Change anything here, and it is asked again.</source>
   <translation>模型被另一件事占用了。在这里改动任何一处，就会再次询问。</translation>
  </message>
  <message>
   <source>The model was wanted for something else. Choose a token, and it is asked again.</source>
   <translation>模型被另一件事占用了。选择一个词元，就会再次询问。</translation>
  </message>
  <message>
   <source>The model's logit is {x}, the highest</source>
   <translation>模型给的 logit 是 {x}，最高</translation>
  </message>
  <message>
   <source>The model's logit is {x}, {d} below the highest</source>
   <translation>模型给的 logit 是 {x}，比最高的低 {d}</translation>
  </message>
  <message>
   <source>The model's logits, LayerNorm's shift begun at one</source>
   <translation>模型的 logits，层归一化的平移从一开始</translation>
  </message>
  <message>
   <source>The model's logits, with query, key and value bias</source>
   <translation>模型的 logits，查询、键、值带偏置</translation>
  </message>
  <message>
   <source>The most memory that the whole program has held, with libraries and window.</source>
   <translation>整个程序（包括各种库和窗口）占用过的最多内存。</translation>
  </message>
  <message>
   <source>The most surprising tokens; choose one to see it in the text</source>
   <translation>最令人惊讶的词元；选择一个可在文本中查看</translation>
  </message>
  <message>
   <source>The name of the branch</source>
   <translation>分支的名称</translation>
  </message>
  <message>
   <source>The name of {path} has bytes that are no characters, so no run could say what it was trained on. Rename the file or its folder.</source>
   <translation>{path} 的名称中有不是字符的字节，因此训练记录无法写明使用了哪份文本。请重命名该文件或其所在文件夹。</translation>
  </message>
  <message>
   <source>The next text</source>
   <translation>下一段文本</translation>
  </message>
  <message>
   <source>The next window</source>
   <translation>下一个窗口</translation>
  </message>
  <message>
   <source>The one special token, id {id}: it ends a text, and nothing is merged in it.</source>
   <translation>唯一的特殊词元，ID {id}：它表示文本结束，内部没有合并。</translation>
  </message>
  <message>
   <source>The one that the model wrote last</source>
   <translation>模型最近写的那一段</translation>
  </message>
  <message>
   <source>The only place where tokens see each other.</source>
   <translation>词元之间唯一能互相看到的地方。</translation>
  </message>
  <message>
   <source>The other text has another token here.</source>
   <translation>另一段文本在这里是另一个词元。</translation>
  </message>
  <message>
   <source>The parts of a block</source>
   <translation>块的组成部分</translation>
  </message>
  <message>
   <source>The perplexity is the same in other words: the model is as uncertain as if it chose among so many tokens, all equally likely. Whoever knows nothing chooses among all 50,257: a loss of 10.82.</source>
   <translation>困惑度换个说法讲同一件事：模型的不确定程度，就像在这么多个可能性相同的词元中挑选。什么都不懂的模型要在全部 50,257 个中挑选：损失为 10.82。</translation>
  </message>
  <message>
   <source>The place of the token among all, 1 for the one that the model held for the likeliest. By its logarithm.</source>
   <translation>词元在全体中的名次，模型认为最可能的为 1。按对数着色。</translation>
  </message>
  <message>
   <source>The placeholder is the model with which the seeds begin: its blocks and norms hand on what they get. All shapes are right from the first day, and the parts are filled in one after the other.</source>
   <translation>占位模型是各份笔记最初的模型：它的块和归一化把得到的数原样交出。所有形状从一开始就是对的，各部分随后逐一填上。</translation>
  </message>
  <message>
   <source>The placeholder's logits</source>
   <translation>占位模型的 logits</translation>
  </message>
  <message>
   <source>The probability of the likeliest token; a quarter is in the middle of the scale.</source>
   <translation>最可能词元的概率；四分之一位于色阶正中。</translation>
  </message>
  <message>
   <source>The prompt is longer than the model's context: its first {n} tokens are not seen.</source>
   <translation>提示词比模型的上下文长：开头的 {n} 个词元看不到。</translation>
  </message>
  <message>
   <source>The proxy wants a name and a password (answer 407). Put them into HTTPS_PROXY in the environment.</source>
   <translation>代理需要用户名和密码（应答 407）。请把它们写入环境变量 HTTPS_PROXY。</translation>
  </message>
  <message>
   <source>The query of word i is its numbers times the matrix W query.</source>
   <translation>词 i 的查询是它的数字乘以矩阵 W_query。</translation>
  </message>
  <message>
   <source>The row is also the one-hot vector h, a 1 at the id and 0 elsewhere, times the matrix E.</source>
   <translation>这一行也等于独热向量 h（在该 ID 处为 1，其余为 0）乘以矩阵 E。</translation>
  </message>
  <message>
   <source>The run with its checkpoints, to be opened on another machine</source>
   <translation>连同检查点，可在另一台机器上打开</translation>
  </message>
  <message>
   <source>The run {name} was cut off.</source>
   <translation>训练 {name} 中断了。</translation>
  </message>
  <message>
   <source>The run {run} is in the trash.</source>
   <translation>训练 {run} 已移到回收站。</translation>
  </message>
  <message>
   <source>The run's folder {path} has bytes in its name that are no characters. Choose another folder.</source>
   <translation>训练文件夹 {path} 的名称中有不是字符的字节。请选择另一个文件夹。</translation>
  </message>
  <message>
   <source>The same for {n} tokens, then {one} and {other}.</source>
   <translation>前 {n} 个词元相同，之后分别是 {one} 和 {other}。</translation>
  </message>
  <message>
   <source>The same on a scale</source>
   <translation>在标尺上看</translation>
  </message>
  <message>
   <source>The same token is given the same row wherever it stands. What tells places apart is a second row, that of the position, which is added.</source>
   <translation>同一个词元无论在哪里，得到的都是同一行。区分位置的是另一行，即位置的行，它会被加上去。</translation>
  </message>
  <message>
   <source>The same training in plain torch, without GPT Studio</source>
   <translation>用纯 torch 做同样的训练，不需要 GPT Studio</translation>
  </message>
  <message>
   <source>The same with another one. Empty: none.</source>
   <translation>再来一句。留空：没有。</translation>
  </message>
  <message>
   <source>The same with query, key and value bias</source>
   <translation>同上，查询、键、值带偏置</translation>
  </message>
  <message>
   <source>The score of words i and j is the dot product of query i and key j.</source>
   <translation>词 i 与词 j 的分数是查询 i 与键 j 的点积。</translation>
  </message>
  <message>
   <source>The score of words i and j is the dot product of their numbers.</source>
   <translation>词 i 与词 j 的分数是两者数字的点积。</translation>
  </message>
  <message>
   <source>The scores of later words become minus infinity.</source>
   <translation>后面的词的分数变为负无穷。</translation>
  </message>
  <message>
   <source>The second row, of as many tokens; empty: a batch of one.</source>
   <translation>第二行，词元数相同；留空：批次只有一行。</translation>
  </message>
  <message>
   <source>The seeds' inputs</source>
   <translation>书中的输入</translation>
  </message>
  <message>
   <source>The settings of this computer have a mistake. What is right in them is in force. In {file}:</source>
   <translation>本机设置有错误。其中正确的部分已生效。文件 {file}：</translation>
  </message>
  <message>
   <source>The shape of</source>
   <translation>形状取自</translation>
  </message>
  <message>
   <source>The shape of {model}</source>
   <translation>{model} 的形状</translation>
  </message>
  <message>
   <source>The shapes are (texts, tokens, numbers), inside attention (texts, heads, tokens, numbers). They are read from the model itself, which is built here without numbers: so even the largest takes no time.</source>
   <translation>形状为（文本，词元，数），在注意力内部为（文本，头，词元，数）。它们读自模型本身；这里建立的模型只有形状而没有数，所以再大的模型也不费时间。</translation>
  </message>
  <message>
   <source>The share of the numbers that is struck out.</source>
   <translation>被划去的数所占的份额。</translation>
  </message>
  <message>
   <source>The share of the text to learn from; the rest only tests what was learned.</source>
   <translation>用于学习的文本比例；其余只用来测试学到了什么。</translation>
  </message>
  <message>
   <source>The share of the weights that is struck out.</source>
   <translation>被划去的权重所占的份额。</translation>
  </message>
  <message>
   <source>The share of values set to zero at random while training, against learning by heart.</source>
   <translation>训练时随机置零的值所占的比例，用来防止死记硬背。</translation>
  </message>
  <message>
   <source>The share of values set to zero, as while training; 0: none.</source>
   <translation>像训练时那样置零的数的份额；0：没有。</translation>
  </message>
  <message>
   <source>The sizes in numbers</source>
   <translation>各种规模的数字</translation>
  </message>
  <message>
   <source>The stages of sampling in the order in which they work, each of them once.</source>
   <translation>采样各阶段起作用的顺序，每个阶段一次。</translation>
  </message>
  <message>
   <source>The step before</source>
   <translation>上一步</translation>
  </message>
  <message>
   <source>The steps through the model</source>
   <translation>经过模型的各个步骤</translation>
  </message>
  <message>
   <source>The sum over {n} tokens: {before} before, {after} after</source>
   <translation>{n} 个词元之和：之前 {before}，之后 {after}</translation>
  </message>
  <message>
   <source>The surprise of a token on average. Guessing among all {n} tokens, it would be {bits} bits.</source>
   <translation>每个词元的平均惊讶度。若在全部 {n} 个词元中随意猜，则为 {bits} 比特。</translation>
  </message>
  <message>
   <source>The surprise of all tokens together: so many bits would do to write the text down for somebody who has the same model.</source>
   <translation>所有词元的惊讶度之和：对拥有同一模型的人来说，用这么多比特就能记下这段文本。</translation>
  </message>
  <message>
   <source>The target of window k: T tokens, from the next one on.</source>
   <translation>窗口 k 的目标：从下一个词元起的 T 个词元。</translation>
  </message>
  <message>
   <source>The text</source>
   <translation>当前文本</translation>
  </message>
  <message>
   <source>The text as tokens; the arrow keys choose one</source>
   <translation>文本的词元；方向键选择</translation>
  </message>
  <message>
   <source>The text before</source>
   <translation>上一段文本</translation>
  </message>
  <message>
   <source>The text ends here.</source>
   <translation>文本到此结束。</translation>
  </message>
  <message>
   <source>The text ends once this has been written. Empty: nowhere.</source>
   <translation>一旦写出这段文字，文本就结束。留空：不停。</translation>
  </message>
  <message>
   <source>The text ends where the model ends it, with &lt;|endoftext|&gt;.</source>
   <translation>模型以 &lt;|endoftext|&gt; 结束时，文本就结束。</translation>
  </message>
  <message>
   <source>The text has half a character in it, which has no bytes. Take it out.</source>
   <translation>文本里有半个字符，它没有对应的字节。请删去它。</translation>
  </message>
  <message>
   <source>The text has {count} characters; up to {most} are shown here. Take some out.</source>
   <translation>文本有 {count} 个字符；这里最多显示 {most} 个。请删去一些。</translation>
  </message>
  <message>
   <source>The text is empty. Type a word.</source>
   <translation>文本为空。请输入一个词。</translation>
  </message>
  <message>
   <source>The text is longer than the {n} characters that are shown here at most. Take a part of it, or score the whole in a terminal:  gptstudio score FILE</source>
   <translation>文本超过了这里最多显示的 {n} 个字符。请取其中一部分，或在终端里给全文打分：gptstudio score FILE</translation>
  </message>
  <message>
   <source>The text of this branch</source>
   <translation>这个分支的文本</translation>
  </message>
  <message>
   <source>The text to go on from.</source>
   <translation>从这段文本接着写。</translation>
  </message>
  <message>
   <source>The text to score</source>
   <translation>要打分的文本内容</translation>
  </message>
  <message>
   <source>The text with its colours and figures</source>
   <translation>文本及其颜色和数值</translation>
  </message>
  <message>
   <source>The text, token by token</source>
   <translation>逐词元显示的文本</translation>
  </message>
  <message>
   <source>The texts are not read yet.</source>
   <translation>文本还没有读完。</translation>
  </message>
  <message>
   <source>The texts as numbers of tokens: a row for each text.</source>
   <translation>用词元编号表示的文本：每个文本一行。</translation>
  </message>
  <message>
   <source>The texts that were opened</source>
   <translation>已打开的文本</translation>
  </message>
  <message>
   <source>The three likeliest of nine words</source>
   <translation>九个词中最可能的三个</translation>
  </message>
  <message>
   <source>The token ids, and below each its position</source>
   <translation>词元 ID，下方是各自的位置</translation>
  </message>
  <message>
   <source>The tokens of the text</source>
   <translation>文本的词元</translation>
  </message>
  <message>
   <source>The tokens of the text, which are kept in {file}, can no longer be read: {why}. Start again: they are made anew.</source>
   <translation>保存在 {file} 中的文本词元已无法读取：{why}。请重新开始，词元会重新生成。</translation>
  </message>
  <message>
   <source>The tokens that count: all but the first, which has nothing before it to be expected from.</source>
   <translation>计入的词元：除第一个之外的全部，第一个之前没有内容可供预期。</translation>
  </message>
  <message>
   <source>The tokens, and the windows over them</source>
   <translation>词元及其上的窗口</translation>
  </message>
  <message>
   <source>The total divided by the bytes, fair also between models that cut text into other tokens. Plain text takes 8 bits a byte.</source>
   <translation>总比特数除以字节数，对分词方式不同的模型也公平。纯文本每字节占 8 比特。</translation>
  </message>
  <message>
   <source>The training part of the text has {n} tokens, and one window needs {needed}. Choose a longer text or a smaller context.</source>
   <translation>文本的训练部分有 {n} 个词元，而一个窗口需要 {needed} 个。请选择更长的文本或更小的上下文。</translation>
  </message>
  <message>
   <source>The training part of the text has {n} windows, and one step needs {needed}. Choose a smaller batch, context or stride, or a longer text.</source>
   <translation>文本的训练部分有 {n} 个窗口，而一步需要 {needed} 个。请减小批大小、上下文或步幅，或选择更长的文本。</translation>
  </message>
  <message>
   <source>The translation {file} cannot be read. Please install GPT Studio again.</source>
   <translation>无法读取翻译文件 {file}。请重新安装 GPT Studio。</translation>
  </message>
  <message>
   <source>The trash did not take {path}, so it was left as it is: {why}. It can be deleted in the file manager.</source>
   <translation>回收站没有接收 {path}，所以保持原样：{why}。可以在文件管理器中删除。</translation>
  </message>
  <message>
   <source>The validation part of the text has {n} tokens, and one window needs {needed}: there would be no validation loss. Choose a smaller training share, a smaller context, or a longer text.</source>
   <translation>文本的验证部分有 {n} 个词元，而一个窗口需要 {needed} 个：将没有验证损失。请减小训练比例或上下文，或选择更长的文本。</translation>
  </message>
  <message>
   <source>The values, mixed by their weights.</source>
   <translation>按权重混合的值。</translation>
  </message>
  <message>
   <source>The variance divides by n - 1 instead of n.</source>
   <translation>方差除以 n - 1，而不是 n。</translation>
  </message>
  <message>
   <source>The weights are the softmax of the masked scores.</source>
   <translation>权重是掩码后分数的 softmax。</translation>
  </message>
  <message>
   <source>The weights are the softmax of the row of scores.</source>
   <translation>权重是该行分数的 softmax。</translation>
  </message>
  <message>
   <source>The weights are the softmax of the scores divided by the square root of d k.</source>
   <translation>权重是分数除以 d_k 的平方根之后的 softmax。</translation>
  </message>
  <message>
   <source>The weights that {host} offers as {title} are not the published ones: their checksum is {offered}, the published SHA-256 is {pinned}. They were changed, or are another version, so nothing was fetched. If HF_ENDPOINT names a mirror, ask who keeps it; else look for a newer version of GPT Studio.</source>
   <translation>{host} 以 {title} 之名提供的权重不是公开发布的权重：其校验和为 {offered}，而公布的 SHA-256 为 {pinned}。它们被改动过，或是另一个版本，因此没有下载任何内容。如果 HF_ENDPOINT 指定了镜像，请询问其维护者；否则请查看 GPT Studio 是否有新版本。</translation>
  </message>
  <message>
   <source>The weights to go on from: a model that was brought in, a run, or a checkpoint. Its context may be longer. The seed then decides the order of the text and the dropout. Empty: fresh weights, drawn from the seed.</source>
   <translation>从哪些权重继续训练：导入的模型、一次运行或一个检查点。它的上下文可以更长。此时种子决定文本的顺序和 dropout。留空：由种子抽取的全新权重。</translation>
  </message>
  <message>
   <source>The whole model</source>
   <translation>整个模型</translation>
  </message>
  <message>
   <source>The width of the input, then that of each layer: one layer for each comma.</source>
   <translation>先是输入的宽度，然后是每一层的宽度：每个逗号对应一层。</translation>
  </message>
  <message>
   <source>The window before</source>
   <translation>上一个窗口</translation>
  </message>
  <message>
   <source>The word has half a character in it, which has no bytes. Take it out.</source>
   <translation>这个词里有半个字符，它没有对应的字节。请删去它。</translation>
  </message>
  <message>
   <source>The word has {count} bytes; the merges of up to {most} are shown.</source>
   <translation>这个词有 {count} 个字节；最多显示 {most} 个字节的合并过程。</translation>
  </message>
  <message>
   <source>There are no numbers to save yet. Wait until the page has computed them.</source>
   <translation>还没有可以保存的数字。请等到页面计算完毕。</translation>
  </message>
  <message>
   <source>There are none yet. Open weights that you have, or download GPT-2 as OpenAI published it.</source>
   <translation>还没有。打开你已有的权重，或下载 OpenAI 发布的 GPT-2。</translation>
  </message>
  <message>
   <source>There are {count} ids; up to {most} are read here.</source>
   <translation>有 {count} 个 ID；这里最多读取 {most} 个。</translation>
  </message>
  <message>
   <source>There are {count} tokens; a window of {context} needs one more than that, for its last target. Add some, or make the context smaller.</source>
   <translation>只有 {count} 个词元；长度为 {context} 的窗口还要再多一个词元，作为最后一个目标。请增加词元，或缩短上下文。</translation>
  </message>
  <message>
   <source>There is a file of this name already. It is replaced, whatever it holds.</source>
   <translation>已有同名的文件。无论其中是什么，它都会被替换。</translation>
  </message>
  <message>
   <source>There is no file '{path}'. Please choose a lesson, a file of TOML.</source>
   <translation>没有文件“{path}”。请选择一个课程，即一个 TOML 文件。</translation>
  </message>
  <message>
   <source>There is no file {path}. Choose another, or the text that ships with GPT Studio.</source>
   <translation>没有文件 {path}。请另选一个，或使用 GPT Studio 自带的文本。</translation>
  </message>
  <message>
   <source>There is no id {id}: with a vocabulary of {count}, ids are whole numbers from 0 to {most}.</source>
   <translation>没有 ID {id}：词表大小为 {count} 时，ID 是 0 到 {most} 的整数。</translation>
  </message>
  <message>
   <source>There is no model to ask here.</source>
   <translation>这里没有可以询问的模型。</translation>
  </message>
  <message>
   <source>There is no model yet: see the Model panel.</source>
   <translation>还没有模型：请看“模型”面板。</translation>
  </message>
  <message>
   <source>There is no word to take apart.</source>
   <translation>没有可以拆开的词。</translation>
  </message>
  <message>
   <source>There is something of this name already. An earlier export is replaced; anything else stays.</source>
   <translation>已有同名的内容。先前的导出会被替换；其他内容保留。</translation>
  </message>
  <message>
   <source>There was not enough memory. Choose a smaller model, batch or context, or close other programs.</source>
   <translation>内存不足。请选择更小的模型、批大小或上下文，或关闭其他程序。</translation>
  </message>
  <message>
   <source>These are not the weights of a GPT-2 that writes text: they lack {missing}, and hold {unknown}. Choose a model with the architecture of GPT-2.</source>
   <translation>这不是生成文本的 GPT-2 的权重：缺少 {missing}，却含有 {unknown}。请选择采用 GPT-2 架构的模型。</translation>
  </message>
  <message>
   <source>These are the same.</source>
   <translation>两者相同。</translation>
  </message>
  <message>
   <source>These weights cannot be opened as a GPT-2: {problem}</source>
   <translation>这些权重无法作为 GPT-2 打开：{problem}</translation>
  </message>
  <message>
   <source>These weights hold {unknown}, which a GPT-2 that writes text has not. They are of another kind of model, or were changed for another task; choose a GPT-2 that writes text.</source>
   <translation>这些权重含有 {unknown}，而生成文本的 GPT-2 没有它。它们属于另一种模型，或为其他任务改动过；请选择生成文本的 GPT-2。</translation>
  </message>
  <message>
   <source>These weights lack {missing}. They are incomplete, or of another kind of model; choose all files of a GPT-2.</source>
   <translation>这些权重缺少 {missing}。它们不完整，或属于另一种模型；请选择一个 GPT-2 的全部文件。</translation>
  </message>
  <message>
   <source>These {n} runs were asked the same</source>
   <translation>这 {n} 次训练的设置相同</translation>
  </message>
  <message>
   <source>They are kept in {folder}.</source>
   <translation>它们保存在 {folder}。</translation>
  </message>
  <message>
   <source>They part at new token {n}: {left} and {right}</source>
   <translation>在新词元 {n} 处分开：{left} 和 {right}</translation>
  </message>
  <message>
   <source>This checkpoint has taken all steps of its run. To train longer, run it again with more.</source>
   <translation>这个检查点已走完这次训练的全部步数。要训练更久，请增加步数后重新运行。</translation>
  </message>
  <message>
   <source>This computer's settings for the network cannot be used: {why}. Look at HF_ENDPOINT, HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE in the environment.</source>
   <translation>这台电脑的网络设置无法使用：{why}。请检查环境变量 HF_ENDPOINT、HTTPS_PROXY、ALL_PROXY 和 SSL_CERT_FILE。</translation>
  </message>
  <message>
   <source>This config.json does not say that it describes a GPT-2. Choose the one that belongs to the weights.</source>
   <translation>这个 config.json 没有说明它描述的是 GPT-2。请选择与权重配套的那一个。</translation>
  </message>
  <message>
   <source>This counts while {name} is {value}.</source>
   <translation>只有当{name}为{value}时才算达到。</translation>
  </message>
  <message>
   <source>This field takes {most} characters: of what was pasted, the first {n} were left out.</source>
   <translation>此栏最多容纳 {most} 个字符：粘贴内容开头的 {n} 个字符已略去。</translation>
  </message>
  <message>
   <source>This is greedy: nothing is drawn, so the same prompt always goes on in the same way. The model here has learned nothing, its weights are chance; hence the nonsense. Choose one of your runs instead.</source>
   <translation>这就是贪婪解码：不抽取，所以同样的提示总是同样地续写。这里的模型什么都没学过，权重全凭随机，所以写出来是胡话。也可以换成你自己训练的模型。</translation>
  </message>
  <message>
   <source>This model brings program code of its own, as auto_map in config.json says. Code of others is never run here, and without it the weights may mean something else; choose one with the architecture of GPT-2.</source>
   <translation>这个模型自带程序代码（见 config.json 中的 auto_map）。这里从不运行他人的代码，而没有这些代码，权重的含义可能不同；请选择采用 GPT-2 架构的模型。</translation>
  </message>
  <message>
   <source>This model gives values that are not numbers (undefined or infinite), so there is nothing to show. Its weights are broken, as after a training that diverged. Choose another model.</source>
   <translation>这个模型给出的值不是数（未定义或无穷大），因此没有什么可以显示。它的权重已经损坏，例如训练发散之后。请选择另一个模型。</translation>
  </message>
  <message>
   <source>This model has learned nothing yet: it is as it was before.</source>
   <translation>这个模型还什么都没学：与最初一样。</translation>
  </message>
  <message>
   <source>This name is taken, or not possible on every system. It will be called {name}.</source>
   <translation>此名称已被使用，或并非所有系统都允许。它将叫作 {name}。</translation>
  </message>
  <message>
   <source>This run has steps left.</source>
   <translation>这次训练还有剩余的步数。</translation>
  </message>
  <message>
   <source>This run is being written at this moment.</source>
   <translation>这次训练此刻正在写入。</translation>
  </message>
  <message>
   <source>This run is written by another window or program: it can be looked at here, not steered.</source>
   <translation>这次训练由另一个窗口或程序写入：在这里只能查看，不能控制。</translation>
  </message>
  <message>
   <source>This run was there before the lesson began. Start a new one.</source>
   <translation>这次训练在本课开始之前就有了。请重新开始一次。</translation>
  </message>
  <message>
   <source>This step</source>
   <translation>这一步</translation>
  </message>
  <message>
   <source>This step is on a page that your instructor has locked.</source>
   <translation>这一步所在的页面已被教师锁定。</translation>
  </message>
  <message>
   <source>This was written by {model}. What is asked from here on, the model that is chosen now answers.</source>
   <translation>这是 {model} 写的。从这里起由现在选中的模型回答。</translation>
  </message>
  <message>
   <source>This window is training another run.</source>
   <translation>本窗口正在进行另一次训练。</translation>
  </message>
  <message>
   <source>Three rates of their own</source>
   <translation>三个各自的比率</translation>
  </message>
  <message>
   <source>Tick a text first.</source>
   <translation>请先勾选文本。</translation>
  </message>
  <message>
   <source>Tick runs to lay them over each other.</source>
   <translation>勾选训练，把它们叠在一起比较。</translation>
  </message>
  <message>
   <source>Tick the runs first.</source>
   <translation>请先勾选训练。</translation>
  </message>
  <message>
   <source>Tie output to embedding</source>
   <translation>输出层与嵌入共享权重</translation>
  </message>
  <message>
   <source>Tied to the token embedding.</source>
   <translation>与词元嵌入共享。</translation>
  </message>
  <message>
   <source>Time left</source>
   <translation>剩余时间</translation>
  </message>
  <message>
   <source>Title</source>
   <translation>标题</translation>
  </message>
  <message>
   <source>To fetch</source>
   <translation>需下载</translation>
  </message>
  <message>
   <source>To generate</source>
   <translation>生成所需</translation>
  </message>
  <message>
   <source>To go on, choose another token, or press Generate.</source>
   <translation>要继续，请选另一个词元，或按“生成”。</translation>
  </message>
  <message>
   <source>To learn from</source>
   <translation>用于学习</translation>
  </message>
  <message>
   <source>To look a row up is to multiply: by a one-hot vector h, which is 1 at the id and 0 elsewhere.</source>
   <translation>查一行就是做一次乘法：用独热向量 h 去乘，它在该 id 处为 1，其余为 0。</translation>
  </message>
  <message>
   <source>To one scale: as long as there are parameters. As shares: all as long, in percent.</source>
   <translation>同一比例：长度即参数多少。按份额：都一样长，按百分比划分。</translation>
  </message>
  <message>
   <source>To test with</source>
   <translation>用于测试</translation>
  </message>
  <message>
   <source>To the end</source>
   <translation>到末尾</translation>
  </message>
  <message>
   <source>To the first token (Home)</source>
   <translation>到第一个词元（Home）</translation>
  </message>
  <message>
   <source>To the last token (End)</source>
   <translation>到最后一个词元（End）</translation>
  </message>
  <message>
   <source>To the next token (Right, or S)</source>
   <translation>到下一个词元（右方向键，或 S）</translation>
  </message>
  <message>
   <source>To the start</source>
   <translation>到开头</translation>
  </message>
  <message>
   <source>To the token before (Left)</source>
   <translation>到前一个词元（左方向键）</translation>
  </message>
  <message>
   <source>To train</source>
   <translation>训练所需</translation>
  </message>
  <message>
   <source>Token</source>
   <translation>词元</translation>
  </message>
  <message>
   <source>Token embedding</source>
   <translation>词元嵌入</translation>
  </message>
  <message>
   <source>Token ids</source>
   <translation>词元 ID</translation>
  </message>
  <message>
   <source>Token looked at</source>
   <translation>正在看的词元</translation>
  </message>
  <message>
   <source>Token {n}: “{piece}”, id {id}. In all windows {inputs} times an input, {targets} times a target.</source>
   <translation>词元 {n}：“{piece}”，ID {id}。在所有窗口中作为输入 {inputs} 次，作为目标 {targets} 次。</translation>
  </message>
  <message>
   <source>Tokenising {name}: {done} of {all}</source>
   <translation>正在对 {name} 分词：{done} / {all}</translation>
  </message>
  <message>
   <source>Tokens</source>
   <translation>词元数</translation>
  </message>
  <message>
   <source>Tokens / character</source>
   <translation>词元/字符</translation>
  </message>
  <message>
   <source>Tokens a second</source>
   <translation>每秒词元数</translation>
  </message>
  <message>
   <source>Tokens and merges</source>
   <translation>词元与合并</translation>
  </message>
  <message>
   <source>Tokens in each</source>
   <translation>每段词元数</translation>
  </message>
  <message>
   <source>Tokens learned from in a second</source>
   <translation>每秒学习的词元数</translation>
  </message>
  <message>
   <source>Tokens seen</source>
   <translation>已见词元</translation>
  </message>
  <message>
   <source>Tokens that are an input: {inputs}  ·  of these more than once: {repeated}  ·  in no window: {skipped}</source>
   <translation>作为输入的词元：{inputs}  ·  其中不止一次的：{repeated}  ·  不在任何窗口中的：{skipped}</translation>
  </message>
  <message>
   <source>Tokens whose embeddings point the same way. Cosine 1: the same direction; 0: nothing in common. A dot: in both lists. A click goes on from there.</source>
   <translation>嵌入方向相近的词元。余弦为 1：方向相同；为 0：毫无共同之处。圆点：两个列表里都有。单击可从那里继续。</translation>
  </message>
  <message>
   <source>Tokens/s</source>
   <translation>词元/秒</translation>
  </message>
  <message>
   <source>Tokens: {tokens}  ·  windows: {windows}  ·  batches: {batches}  ·  windows left over: {dropped}</source>
   <translation>词元：{tokens}  ·  窗口：{windows}  ·  批次：{batches}  ·  剩余窗口：{dropped}</translation>
  </message>
  <message>
   <source>Tokens: {tokens}  ·  words: {words}  ·  characters: {characters}  ·  bytes: {bytes}</source>
   <translation>词元：{tokens}  ·  词：{words}  ·  字符：{characters}  ·  字节：{bytes}</translation>
  </message>
  <message>
   <source>Took {ms} ms</source>
   <translation>用时 {ms} 毫秒</translation>
  </message>
  <message>
   <source>Top-k</source>
   <translation>Top-k</translation>
  </message>
  <message>
   <source>Top-k leaves only the k largest logits and sets the others to −∞, which softmax makes 0: nothing absurd is ever drawn. Take k away and the temperature up, and wait for pizza.</source>
   <translation>top-k 只留下最大的 k 个 logits，其余设为 −∞，softmax 把它们变成 0：荒唐的词永远抽不到。去掉 k、调高温度，等着 pizza 出现吧。</translation>
  </message>
  <message>
   <source>Top-p</source>
   <translation>Top-p</translation>
  </message>
  <message>
   <source>Torch's var() divides by n − 1 unless told otherwise, LayerNorm by n. With the 768 numbers of GPT-2 the difference is about a thousandth; with six it is a fifth.</source>
   <translation>torch 的 var() 默认除以 n − 1，LayerNorm 除以 n。对 GPT-2 的 768 个数，两者约差千分之一；对六个数则差五分之一。</translation>
  </message>
  <message>
   <source>Total bits</source>
   <translation>总比特数</translation>
  </message>
  <message>
   <source>Train</source>
   <translation>训练</translation>
  </message>
  <message>
   <source>Train a model first: then there are two to compare.</source>
   <translation>先训练一个模型：才有两个可以比较。</translation>
  </message>
  <message>
   <source>Train on these</source>
   <translation>用这些训练</translation>
  </message>
  <message>
   <source>Train one</source>
   <translation>训练一个</translation>
  </message>
  <message>
   <source>Train with it</source>
   <translation>用它训练</translation>
  </message>
  <message>
   <source>Train, compare runs, look at texts, generate</source>
   <translation>训练、比较训练记录、查看文本、生成</translation>
  </message>
  <message>
   <source>Training</source>
   <translation>训练集</translation>
  </message>
  <message>
   <source>Training diverged.</source>
   <translation>训练发散了。</translation>
  </message>
  <message>
   <source>Training is running</source>
   <translation>训练正在进行</translation>
  </message>
  <message>
   <source>Training loss</source>
   <translation>训练损失</translation>
  </message>
  <message>
   <source>Training share</source>
   <translation>训练比例</translation>
  </message>
  <message>
   <source>Trains on from the last checkpoint, exactly as if it had never stopped</source>
   <translation>从最后的检查点接着训练，与从未停止过完全一样</translation>
  </message>
  <message>
   <source>Trains on from this checkpoint as a run of its own; this run stays as it is</source>
   <translation>从这个检查点起作为一次新的训练继续；原来的训练保持不变</translation>
  </message>
  <message>
   <source>Tree (*.json)</source>
   <translation>分支树 (*.json)</translation>
  </message>
  <message>
   <source>Try: {what}</source>
   <translation>试一试：{what}</translation>
  </message>
  <message>
   <source>Two branches beside each other: those picked with Ctrl and a click, or the shown and the marked one.</source>
   <translation>并排查看两个分支：用 Ctrl+单击选出的两个，或当前显示的与选中的。</translation>
  </message>
  <message>
   <source>Two heads</source>
   <translation>两个头</translation>
  </message>
  <message>
   <source>Two models, or two settings of one, go on from the same prompt, and you see where they part and how far. At each position one random number draws for both: every difference comes from the models, or from their dials.

The two buttons above are a good beginning.</source>
   <translation>两个模型，或同一模型的两种设置，从同一个提示词接着写，你会看到它们在哪里分开、相差多远。每个位置两边用同一个随机数抽取：所有差别都来自模型或采样参数。

上面两个按钮是不错的开始。</translation>
  </message>
  <message>
   <source>Two sentences, an untrained model</source>
   <translation>两个句子，未训练的模型</translation>
  </message>
  <message>
   <source>Two texts from one prompt</source>
   <translation>同一提示词，两段文本</translation>
  </message>
  <message>
   <source>Type a text first.</source>
   <translation>请先输入文本。</translation>
  </message>
  <message>
   <source>Typed by hand. Type another probability over any of these.</source>
   <translation>手工输入。可以在任何一个上面键入别的概率。</translation>
  </message>
  <message>
   <source>Undo</source>
   <translation>撤销</translation>
  </message>
  <message>
   <source>Unique tokens</source>
   <translation>不同词元</translation>
  </message>
  <message>
   <source>Unpacking {name}</source>
   <translation>正在解包 {name}</translation>
  </message>
  <message>
   <source>Until here {before} wrote this; it goes on with {now}.</source>
   <translation>到这里为止由 {before} 写成；接下来由 {now} 继续。</translation>
  </message>
  <message>
   <source>Untrained against trained</source>
   <translation>未训练对已训练</translation>
  </message>
  <message>
   <source>Untrained, as in the Model panel</source>
   <translation>未训练，如“模型”面板所示</translation>
  </message>
  <message>
   <source>Use a context of {n}</source>
   <translation>改用 {n} 的上下文长度</translation>
  </message>
  <message>
   <source>Use a shorter context</source>
   <translation>改用更短的上下文长度</translation>
  </message>
  <message>
   <source>Use our story instead</source>
   <translation>改用我们的故事</translation>
  </message>
  <message>
   <source>Use the smaller setting</source>
   <translation>使用较小的设置</translation>
  </message>
  <message>
   <source>Uses one matrix both to read tokens and to predict them, as OpenAI's GPT-2 does. The book keeps two: 163 instead of 124 million parameters.</source>
   <translation>读入词元和预测词元用同一个矩阵，与 OpenAI 的 GPT-2 一样。书中用两个矩阵：参数是 1.63 亿而不是 1.24 亿。</translation>
  </message>
  <message>
   <source>Usual order</source>
   <translation>通常顺序</translation>
  </message>
  <message>
   <source>Usual size</source>
   <translation>默认大小</translation>
  </message>
  <message>
   <source>Val. perplexity</source>
   <translation>验证困惑度</translation>
  </message>
  <message>
   <source>Validation</source>
   <translation>验证集</translation>
  </message>
  <message>
   <source>Validation loss</source>
   <translation>验证损失</translation>
  </message>
  <message>
   <source>Value</source>
   <translation>函数值</translation>
  </message>
  <message>
   <source>Value of {row}, {column}</source>
   <translation>{row}，{column} 的值</translation>
  </message>
  <message>
   <source>Values</source>
   <translation>值</translation>
  </message>
  <message>
   <source>Values at the end</source>
   <translation>结束时的值</translation>
  </message>
  <message>
   <source>Values, cut into heads</source>
   <translation>值，分给各个头</translation>
  </message>
  <message>
   <source>View</source>
   <translation>视图</translation>
  </message>
  <message>
   <source>Vocabulary</source>
   <translation>词表大小</translation>
  </message>
  <message>
   <source>W two times GELU of W one times x plus b one, plus b two</source>
   <translation>W2 乘以 GELU(W1 x + b1)，再加 b2</translation>
  </message>
  <message>
   <source>Waiting for the model …</source>
   <translation>正在等待模型 …</translation>
  </message>
  <message>
   <source>Waiting until the text on Generate is written …</source>
   <translation>正在等“生成”页写完文本……</translation>
  </message>
  <message>
   <source>Walks on token by token; at the end, the model writes more (P).</source>
   <translation>逐个词元前进；到末尾时模型接着写（P）。</translation>
  </message>
  <message>
   <source>Warm-up</source>
   <translation>预热</translation>
  </message>
  <message>
   <source>Watch a model write, and change its mind</source>
   <translation>看模型写作，并改变它的主意</translation>
  </message>
  <message>
   <source>Web page (*.html)</source>
   <translation>网页 (*.html)</translation>
  </message>
  <message>
   <source>Weight decay</source>
   <translation>权重衰减</translation>
  </message>
  <message>
   <source>Weights</source>
   <translation>权重</translation>
  </message>
  <message>
   <source>Weights (*.pth *.pt *.safetensors *.bin)</source>
   <translation>权重 (*.pth *.pt *.safetensors *.bin)</translation>
  </message>
  <message>
   <source>Weights as in</source>
   <translation>权重取自</translation>
  </message>
  <message>
   <source>Weights as the book's code saves them (a state dict)</source>
   <translation>书中代码保存的权重（state dict）</translation>
  </message>
  <message>
   <source>What a model is shown, and what it is to say.</source>
   <translation>给模型看什么，要它说出什么。</translation>
  </message>
  <message>
   <source>What a run begins with: new weights, drawn from the seed, or some that have learned.</source>
   <translation>一次训练从什么开始：由种子抽取的新权重，或已经学过的权重。</translation>
  </message>
  <message>
   <source>What becomes of a negative input.</source>
   <translation>负的输入会变成什么。</translation>
  </message>
  <message>
   <source>What came is not what {host} says {name} is: the checksums differ. It was damaged or changed on its way, and was deleted. Try again; if it happens again, use another network.</source>
   <translation>收到的内容与 {host} 所说的 {name} 不符：校验和不同。它在传输途中损坏或被改动，已删除。请重试；如果再次发生，请换一个网络。</translation>
  </message>
  <message>
   <source>What comes out is what went in, times zero or one, divided by one minus the rate p.</source>
   <translation>输出等于输入乘以 0 或 1，再除以 1 减去比率 p。</translation>
  </message>
  <message>
   <source>What differs between the ticked runs</source>
   <translation>勾选的训练之间有何不同</translation>
  </message>
  <message>
   <source>What each layer ends with. The seeds' own GELU is the tanh form, torch's the exact.</source>
   <translation>每一层的最后一步。笔记自己写的 GELU 是 tanh 形式，torch 的是精确形式。</translation>
  </message>
  <message>
   <source>What each layer would say after each token</source>
   <translation>每个词元之后各层会说什么</translation>
  </message>
  <message>
   <source>What each number is multiplied by afterwards.</source>
   <translation>之后每个数所乘的数。</translation>
  </message>
  <message>
   <source>What each side could have drawn here. Choices: among so many equally likely tokens the choice would be as open as it was, by the model alone and behind all dials. A dot: the token that this side drew</source>
   <translation>两边在这里各自可能抽到什么。选择数：相当于在这么多个等可能的词元中选择，先是模型本身的，再是经过所有采样参数之后的。圆点：这一边抽中的词元</translation>
  </message>
  <message>
   <source>What each token has to say.</source>
   <translation>每个词元要说什么。</translation>
  </message>
  <message>
   <source>What each token is found by.</source>
   <translation>每个词元凭什么被找到。</translation>
  </message>
  <message>
   <source>What each token looks for.</source>
   <translation>每个词元要找什么。</translation>
  </message>
  <message>
   <source>What else could have come appears here, from logits to probabilities.</source>
   <translation>这里会显示本来还可能出现什么，从 logits 到概率。</translation>
  </message>
  <message>
   <source>What has parameters is framed and bold. An orange line is a shortcut: it leads around a step, and what it brings is added.</source>
   <translation>有参数的部分加框并用粗体。橙色的线是快捷连接：它绕过若干步，带来的数在终点相加。</translation>
  </message>
  <message>
   <source>What is added afterwards.</source>
   <translation>之后再加上的数。</translation>
  </message>
  <message>
   <source>What is encoded; up to 2,000 characters.</source>
   <translation>要编码的文本，最多 2,000 个字符。</translation>
  </message>
  <message>
   <source>What is merged step by step, with its leading space; empty: what falls into most pieces.</source>
   <translation>逐步合并的词，连同它前面的空格；留空则取碎片最多的词。</translation>
  </message>
  <message>
   <source>What is not struck is divided by one minus the rate p.</source>
   <translation>未被划去的数除以 1 减去比率 p。</translation>
  </message>
  <message>
   <source>What is struck</source>
   <translation>划去了什么</translation>
  </message>
  <message>
   <source>What one layer hands to the next may be large or small, far from zero or near it, and that makes learning hard. Layer normalisation brings every row, which is one token, to mean 0 and variance 1.</source>
   <translation>一层交给下一层的数可大可小，可能离零很远，也可能很近，这使学习变得困难。层归一化把每一行（即一个词元）变为均值 0、方差 1。</translation>
  </message>
  <message>
   <source>What the curves are drawn over</source>
   <translation>曲线的横轴</translation>
  </message>
  <message>
   <source>What the model is called wherever a model is chosen</source>
   <translation>在各处选择模型时显示的名称</translation>
  </message>
  <message>
   <source>What the model reads.</source>
   <translation>模型所读的文本。</translation>
  </message>
  <message>
   <source>What the model would say after each layer, if its last norm and output layer came at once. Bold: what did come next.</source>
   <translation>假如每一层之后立刻接上最后的归一化和输出层，模型会说什么。粗体：实际的下一个词元。</translation>
  </message>
  <message>
   <source>What the model wrote</source>
   <translation>模型写的内容</translation>
  </message>
  <message>
   <source>What the program holds of the device's memory</source>
   <translation>程序占用的设备内存</translation>
  </message>
  <message>
   <source>What the token is, plus where it stands.</source>
   <translation>词元是什么，加上它在哪里。</translation>
  </message>
  <message>
   <source>What the token looks at most</source>
   <translation>这个词元最关注的词元</translation>
  </message>
  <message>
   <source>What to learn: verdict (The Verdict, Edith Wharton, 1908), story (ours), a file, or a folder of .txt and .md files. May be given several times.</source>
   <translation>学习什么：verdict（The Verdict，伊迪丝·华顿，1908）、story（我们的故事）、一个文件，或一个含 .txt 和 .md 文件的文件夹。可以给出多个。</translation>
  </message>
  <message>
   <source>What was asked and what happened, without the model</source>
   <translation>设置与经过，不含模型</translation>
  </message>
  <message>
   <source>What was brought in, to rename or remove</source>
   <translation>已导入的模型，可重命名或移除</translation>
  </message>
  <message>
   <source>What was saved is kept, and you can go on working. The details help whoever mends it.</source>
   <translation>已保存的内容都还在，可以继续工作。详细信息有助于修复这个问题。</translation>
  </message>
  <message>
   <source>What went into the first LayerNorm is added.</source>
   <translation>加上进入第一个层归一化之前的数。</translation>
  </message>
  <message>
   <source>What went into the second LayerNorm is added.</source>
   <translation>加上进入第二个层归一化之前的数。</translation>
  </message>
  <message>
   <source>When</source>
   <translation>时间</translation>
  </message>
  <message>
   <source>Where a model strikes numbers</source>
   <translation>模型在哪里划去数字</translation>
  </message>
  <message>
   <source>Where all chance starts: the same seed gives the same run.</source>
   <translation>一切随机的起点：同一种子得到同样的训练。</translation>
  </message>
  <message>
   <source>Where chance starts: the same seed draws the same text.</source>
   <translation>随机的起点：同一种子抽出同样的文本。</translation>
  </message>
  <message>
   <source>Where chance starts: the same seed draws the same words.</source>
   <translation>随机从哪里开始：同样的种子抽到同样的词。</translation>
  </message>
  <message>
   <source>Where chance starts: the same seed strikes the same places.</source>
   <translation>随机从哪里开始：同样的种子划去同样的位置。</translation>
  </message>
  <message>
   <source>Where in its text the first token of each row stands, counted from 0.</source>
   <translation>每行的第一个词元在其文本中的位置，从 0 数起。</translation>
  </message>
  <message>
   <source>Where it has fewer windows than the others.</source>
   <translation>当它的窗口比其他批次少时。</translation>
  </message>
  <message>
   <source>Where the draw of what is struck starts.</source>
   <translation>抽取划去哪些数从哪里开始。</translation>
  </message>
  <message>
   <source>Where the first weights are drawn from.</source>
   <translation>最初的权重由它抽取。</translation>
  </message>
  <message>
   <source>Where the parameters of the four GPT-2 are.</source>
   <translation>四种 GPT-2 的参数都在哪里。</translation>
  </message>
  <message>
   <source>Where the weights' numbers start.</source>
   <translation>权重的随机数从哪里开始。</translation>
  </message>
  <message>
   <source>Where “{token}” looks most</source>
   <translation>“{token}”最关注哪里</translation>
  </message>
  <message>
   <source>Which curves are shown below the loss</source>
   <translation>损失下方显示哪些曲线</translation>
  </message>
  <message>
   <source>Which model</source>
   <translation>哪个模型</translation>
  </message>
  <message>
   <source>Which of the two networks is shown.</source>
   <translation>显示两个网络中的哪一个。</translation>
  </message>
  <message>
   <source>Which one is looked at, counted from 0; past the last: the last.</source>
   <translation>正在看的窗口，从 0 数起；超过最后一个即为最后一个。</translation>
  </message>
  <message>
   <source>Which word looks at the others, counted from 1.</source>
   <translation>由哪个词去看其他词，从 1 数起。</translation>
  </message>
  <message>
   <source>While a model learns, a share p of its numbers, the rate, is struck by chance at every step: it becomes 0, so that nothing comes to rely on one number alone. What is left is made larger by as much as is missing: over many draws the mean stays. In use nothing is struck.</source>
   <translation>模型学习时，每一步都随机划去一部分数，比例为 p：这些数变成 0，使任何部分都不至于只依赖某一个数。剩下的按所缺的比例放大：多次抽取后平均值不变。使用时什么也不划去。</translation>
  </message>
  <message>
   <source>While a model learns, some weights are struck by chance, so that it does not come to rely on one word alone. The rest are divided by 1 − rate. A row then sums to 1 only on average.</source>
   <translation>模型学习时随机划去一些权重，使它不至于只依赖某一个词。其余的除以 1 − 比率。于是一行之和只在平均意义上为 1。</translation>
  </message>
  <message>
   <source>Whoever is to guess the next word must not see it. With −∞ in place of later words, softmax gives them exactly 0. One can also strike them after the softmax σ, and divide each row by its sum: the same weights, but the later words had a part in the softmax before. Without that division the rows do not sum to 1.</source>
   <translation>要猜下一个词，就不能看到它。把后面的词换成 −∞，softmax 给它们的恰好是 0。也可以在 softmax σ 之后划去它们，再把每行除以其和：权重相同，但后面的词先前参与了 softmax。若不再相除，各行之和就不是 1。</translation>
  </message>
  <message>
   <source>Whose feed-forward module is listened to; the first is 1.</source>
   <translation>观察哪一层的前馈网络；第一层为 1。</translation>
  </message>
  <message>
   <source>Whose shapes are shown.</source>
   <translation>显示哪个模型的形状。</translation>
  </message>
  <message>
   <source>Why the first layers of a deep network would learn nothing.</source>
   <translation>为什么深层网络的前几层会学不到东西。</translation>
  </message>
  <message>
   <source>Width</source>
   <translation>宽度</translation>
  </message>
  <message>
   <source>Window</source>
   <translation>窗口</translation>
  </message>
  <message>
   <source>Window {k} of 0 to {last}, in batch {batch}</source>
   <translation>窗口 {k}（0 至 {last}），在批次 {batch} 中</translation>
  </message>
  <message>
   <source>Window {k} of 0 to {last}, in batch {batch}, which is dropped</source>
   <translation>窗口 {k}（0 至 {last}），在被丢弃的批次 {batch} 中</translation>
  </message>
  <message>
   <source>Window {k}: after “{seen}” comes “{wanted}”, token {start} + {column} + 1 = {place}.</source>
   <translation>窗口 {k}：“{seen}”之后是“{wanted}”，词元 {start} + {column} + 1 = {place}。</translation>
  </message>
  <message>
   <source>Window {k}: token {start} + {column} = {place}, “{piece}”. The model sees “{seen}”.</source>
   <translation>窗口 {k}：词元 {start} + {column} = {place}，“{piece}”。模型看到“{seen}”。</translation>
  </message>
  <message>
   <source>Windows</source>
   <translation>窗口数</translation>
  </message>
  <message>
   <source>Windows that go through the model together.</source>
   <translation>一起送入模型的窗口数。</translation>
  </message>
  <message>
   <source>With blanks between them, as many as there are rows of numbers.</source>
   <translation>以空格隔开，个数与数字的行数相同。</translation>
  </message>
  <message>
   <source>With cosine: over so many steps the learning rate rises from nothing.</source>
   <translation>用余弦时：学习率在这么多步内从零升起。</translation>
  </message>
  <message>
   <source>With cosine: where the learning rate ends.</source>
   <translation>用余弦时：学习率最后降到哪里。</translation>
  </message>
  <message>
   <source>With one row, each column holds a single number, which is its own mean: batch normalisation leaves 0 of it, whatever it was. Layer normalisation notices nothing.</source>
   <translation>只有一行时，每列只有一个数，它就是自己的均值：无论原来是多少，批归一化后只剩 0。层归一化则毫无影响。</translation>
  </message>
  <message>
   <source>With one row, each column holds a single number. Divided by n − 1 its variance is 0 / 0, which is no number, and batch normalisation cannot go on. Layer normalisation notices nothing.</source>
   <translation>只有一行时，每列只有一个数。除以 n − 1，它的方差是 0 / 0，不是数，批归一化无法进行。层归一化则毫无影响。</translation>
  </message>
  <message>
   <source>With the mask last, each weight is divided by the sum of those that are left in its row.</source>
   <translation>若最后才加掩码，每个权重要除以该行剩余权重之和。</translation>
  </message>
  <message>
   <source>With the next seed</source>
   <translation>用下一个随机种子</translation>
  </message>
  <message>
   <source>With the next seed.</source>
   <translation>用下一个种子。</translation>
  </message>
  <message>
   <source>With {what} it needs {gb} GB.</source>
   <translation>改用{what}则需 {gb} GB。</translation>
  </message>
  <message>
   <source>Without something bent between them, two linear layers are one linear layer. The bend is the activation: a function of one number.</source>
   <translation>两个线性层之间若没有弯折，就等于一个线性层。这个弯折就是激活函数：一个数的函数。</translation>
  </message>
  <message>
   <source>Word</source>
   <translation>词</translation>
  </message>
  <message>
   <source>Words</source>
   <translation>词</translation>
  </message>
  <message>
   <source>Write</source>
   <translation>续写</translation>
  </message>
  <message>
   <source>Write to</source>
   <translation>写入到</translation>
  </message>
  <message>
   <source>Writes all branches to a file anywhere.</source>
   <translation>把所有分支写入任意位置的文件。</translation>
  </message>
  <message>
   <source>Writes it, whole or not at all</source>
   <translation>要么完整写入，要么什么也不写</translation>
  </message>
  <message>
   <source>Writing</source>
   <translation>正在写入</translation>
  </message>
  <message>
   <source>Writing …</source>
   <translation>正在写 …</translation>
  </message>
  <message>
   <source>You chose this token.</source>
   <translation>这个词元是你选的。</translation>
  </message>
  <message>
   <source>Your copy takes {size} in {folder}, where {free} are free.</source>
   <translation>你的副本在 {folder} 中占 {size}，那里有 {free} 空闲。</translation>
  </message>
  <message>
   <source>Your file stays as it is. The copy is checked, and needs the file no more.</source>
   <translation>你的文件保持原样。副本会经过检查，之后不再需要该文件。</translation>
  </message>
  <message>
   <source>Your own text</source>
   <translation>自己的文本</translation>
  </message>
  <message>
   <source>Your own text has half a character in it, which has no bytes. Take it out.</source>
   <translation>自己的文本里有半个字符，它没有对应的字节。请删去它。</translation>
  </message>
  <message>
   <source>Your own text has {count} characters; up to {most} are read here. Take some out.</source>
   <translation>自己的文本有 {count} 个字符；这里最多读取 {most} 个。请删去一些。</translation>
  </message>
  <message>
   <source>Your own text is empty. Type a sentence.</source>
   <translation>自己的文本为空。请输入一句话。</translation>
  </message>
  <message>
   <source>Yours</source>
   <translation>自定义</translation>
  </message>
  <message>
   <source>Yours as GPT-2 small with query, key and value bias</source>
   <translation>自定义：GPT-2 small，查询、键、值带偏置</translation>
  </message>
  <message>
   <source>Zip (*.zip)</source>
   <translation>Zip (*.zip)</translation>
  </message>
  <message>
   <source>a batch of {batch} accumulated {times} times</source>
   <translation>批大小 {batch}、累积 {times} 次</translation>
  </message>
  <message>
   <source>a check</source>
   <translation>检查项</translation>
  </message>
  <message>
   <source>a context of {n}</source>
   <translation>上下文 {n}</translation>
  </message>
  <message>
   <source>a lesson</source>
   <translation>课程</translation>
  </message>
  <message>
   <source>a list of names in quotes, as ["name"]</source>
   <translation>带引号的名称列表，如 ["name"]</translation>
  </message>
  <message>
   <source>a number</source>
   <translation>数</translation>
  </message>
  <message>
   <source>a number of {count} bits</source>
   <translation>一个 {count} 位的二进制数</translation>
  </message>
  <message>
   <source>a number, a text, or true or false</source>
   <translation>数字、文本，或 true、false</translation>
  </message>
  <message>
   <source>a step</source>
   <translation>步骤</translation>
  </message>
  <message>
   <source>a step stands in one place: it needs a page or a tab, and not both.</source>
   <translation>一个步骤只在一个地方：它需要一个 page 或一个 tab，不能两个都有。</translation>
  </message>
  <message>
   <source>a table of settings</source>
   <translation>设置表</translation>
  </message>
  <message>
   <source>a whole number</source>
   <translation>整数</translation>
  </message>
  <message>
   <source>a whole number from {low} to {high}</source>
   <translation>{low} 到 {high} 之间的整数</translation>
  </message>
  <message>
   <source>about half of x, times one plus tanh of the root of two over pi, times x plus 0.044715 x cubed</source>
   <translation>约等于 x 的一半，乘以 1 加 tanh[根号（2/π）乘以（x 加 0.044715 倍 x 的立方）]</translation>
  </message>
  <message>
   <source>activations</source>
   <translation>激活值</translation>
  </message>
  <message>
   <source>after</source>
   <translation>之后</translation>
  </message>
  <message>
   <source>after GELU</source>
   <translation>GELU 之后</translation>
  </message>
  <message>
   <source>after, y</source>
   <translation>之后，y</translation>
  </message>
  <message>
   <source>all</source>
   <translation>全部</translation>
  </message>
  <message>
   <source>all contexts</source>
   <translation>全部上下文向量</translation>
  </message>
  <message>
   <source>all epochs</source>
   <translation>所有轮次</translation>
  </message>
  <message>
   <source>all pages are locked; one has to stay, so all of them do.</source>
   <translation>所有页面都被锁定；至少须保留一个，因此全部保留。</translation>
  </message>
  <message>
   <source>all scores</source>
   <translation>全部分数</translation>
  </message>
  <message>
   <source>all token ids</source>
   <translation>全部词元编号</translation>
  </message>
  <message>
   <source>all weights</source>
   <translation>全部权重</translation>
  </message>
  <message>
   <source>always right</source>
   <translation>永远正确</translation>
  </message>
  <message>
   <source>an input once</source>
   <translation>作为输入一次</translation>
  </message>
  <message>
   <source>anew for each</source>
   <translation>各设一次</translation>
  </message>
  <message>
   <source>any of {choices}</source>
   <translation>{choices} 中的任意几个</translation>
  </message>
  <message>
   <source>argmax: {id}, {token}; it is appended.</source>
   <translation>argmax：{id}，{token}；把它接在后面。</translation>
  </message>
  <message>
   <source>as nn.Linear draws</source>
   <translation>按 nn.Linear 抽取</translation>
  </message>
  <message>
   <source>as probabilities</source>
   <translation>换成概率</translation>
  </message>
  <message>
   <source>as shares</source>
   <translation>按份额</translation>
  </message>
  <message>
   <source>as the same work took before</source>
   <translation>与以前同样的训练一样</translation>
  </message>
  <message>
   <source>as torch.rand draws</source>
   <translation>按 torch.rand 抽取</translation>
  </message>
  <message>
   <source>at least {value}</source>
   <translation>至少 {value}</translation>
  </message>
  <message>
   <source>at most {value}</source>
   <translation>不超过 {value}</translation>
  </message>
  <message>
   <source>at the last position</source>
   <translation>最后一个位置</translation>
  </message>
  <message>
   <source>at x</source>
   <translation>在 x 处</translation>
  </message>
  <message>
   <source>at x = {x}</source>
   <translation>x = {x} 处</translation>
  </message>
  <message>
   <source>at_least is {low:g} and at_most is {high:g}; no value is both.</source>
   <translation>at_least 是 {low:g}，at_most 是 {high:g}；没有哪个值能同时满足。</translation>
  </message>
  <message>
   <source>attention weights</source>
   <translation>注意力权重</translation>
  </message>
  <message>
   <source>auto</source>
   <translation>自动</translation>
  </message>
  <message>
   <source>auto, cpu, cuda, cuda:1, mps.</source>
   <translation>auto、cpu、cuda、cuda:1、mps。</translation>
  </message>
  <message>
   <source>average of y</source>
   <translation>y 的平均</translation>
  </message>
  <message>
   <source>average so far</source>
   <translation>至今的平均</translation>
  </message>
  <message>
   <source>batch x</source>
   <translation>批次 x</translation>
  </message>
  <message>
   <source>before</source>
   <translation>之前</translation>
  </message>
  <message>
   <source>before GELU</source>
   <translation>GELU 之前</translation>
  </message>
  <message>
   <source>before, x</source>
   <translation>之前，x</translation>
  </message>
  <message>
   <source>begin_with is '{name}', a preset, which has no weights of its own; allowed is a model that was brought in, a run, a checkpoint, or nothing.</source>
   <translation>begin_with 为“{name}”，这是一个预设，本身没有权重；允许的是导入的模型、运行、检查点，或留空。</translation>
  </message>
  <message>
   <source>begin_with is '{name}', which has no weights of its own.</source>
   <translation>begin_with 为“{name}”，它本身没有权重。</translation>
  </message>
  <message>
   <source>begin_with is '{name}', whose weights do not fit this model: {different}. Give both the same shape; only a shorter context and other dropout are allowed.</source>
   <translation>begin_with 为“{name}”，它的权重与此模型不合：{different}。请让两者形状相同；只允许更短的上下文和不同的 dropout。</translation>
  </message>
  <message>
   <source>begin_with is empty; allowed is a model that was brought in, a run, a checkpoint, or nothing.</source>
   <translation>begin_with 为空文本；允许的是导入的模型、运行、检查点，或不填。</translation>
  </message>
  <message>
   <source>best</source>
   <translation>最佳</translation>
  </message>
  <message>
   <source>bf16</source>
   <translation>bf16</translation>
  </message>
  <message>
   <source>bf16 computes in half the bits where the device is fast at it; weights stay in fp32.</source>
   <translation>在设备擅长时 bf16 用一半的位数计算；权重仍为 fp32。</translation>
  </message>
  <message>
   <source>bfloat16</source>
   <translation>bfloat16</translation>
  </message>
  <message>
   <source>book</source>
   <translation>book</translation>
  </message>
  <message>
   <source>both</source>
   <translation>两者</translation>
  </message>
  <message>
   <source>by time alone</source>
   <translation>只按时间</translation>
  </message>
  <message>
   <source>bytes of GPT-2 small in float32</source>
   <translation>GPT-2 small 在 float32 下的字节数</translation>
  </message>
  <message>
   <source>cannot come</source>
   <translation>不可能出现</translation>
  </message>
  <message>
   <source>characters</source>
   <translation>按字符</translation>
  </message>
  <message>
   <source>characters of the text</source>
   <translation>文本的字符数</translation>
  </message>
  <message>
   <source>characters: the last part of the text tests what was learned; documents: the last of several texts do.</source>
   <translation>按字符：用文本的最后一部分测试；按文档：用多篇文本中的最后几篇测试。</translation>
  </message>
  <message>
   <source>chosen</source>
   <translation>选定的</translation>
  </message>
  <message>
   <source>chosen: the model chosen for this page. with bias: gpt2-small with biases for query, key and value, untrained, seed 123, as one of the seeds has it.</source>
   <translation>选定的：为本页选定的模型。带偏置：查询、键、值带偏置的 gpt2-small，未训练，随机种子 123，与其中一份原文相同。</translation>
  </message>
  <message>
   <source>column {index}</source>
   <translation>第 {index} 列</translation>
  </message>
  <message>
   <source>columns normalised</source>
   <translation>按列归一化</translation>
  </message>
  <message>
   <source>constant</source>
   <translation>恒定</translation>
  </message>
  <message>
   <source>context</source>
   <translation>同上下文</translation>
  </message>
  <message>
   <source>contexts z</source>
   <translation>上下文向量 z</translation>
  </message>
  <message>
   <source>copy</source>
   <translation>副本</translation>
  </message>
  <message>
   <source>corrected by an earlier run on this computer</source>
   <translation>按本机以前的一次训练修正</translation>
  </message>
  <message>
   <source>corrected by {n} earlier runs on this computer</source>
   <translation>按本机以前的 {n} 次训练修正</translation>
  </message>
  <message>
   <source>cosine</source>
   <translation>余弦</translation>
  </message>
  <message>
   <source>cosine: the learning rate rises in a line, then falls along half a cosine.</source>
   <translation>余弦：学习率先线性上升，再沿半个余弦下降。</translation>
  </message>
  <message>
   <source>cut</source>
   <translation>剔除</translation>
  </message>
  <message>
   <source>cut by {stage}</source>
   <translation>被{stage}剔除</translation>
  </message>
  <message>
   <source>cut: rank {n} of {k}</source>
   <translation>剔除：排第 {n}，只留 {k}</translation>
  </message>
  <message>
   <source>cut: temperature 0</source>
   <translation>剔除：温度 0</translation>
  </message>
  <message>
   <source>d_out</source>
   <translation>d_out</translation>
  </message>
  <message>
   <source>difference</source>
   <translation>差</translation>
  </message>
  <message>
   <source>documents</source>
   <translation>按文档</translation>
  </message>
  <message>
   <source>does not fit</source>
   <translation>不够</translation>
  </message>
  <message>
   <source>double-click to change</source>
   <translation>双击可改</translation>
  </message>
  <message>
   <source>dropout {rate}</source>
   <translation>dropout {rate}</translation>
  </message>
  <message>
   <source>e to the loss</source>
   <translation>e 的损失次方</translation>
  </message>
  <message>
   <source>e to the power of each value, over the sum of its row: shares that sum to 1.</source>
   <translation>对每个值取 e 的幂，再除以该行之和：得到总和为 1 的份额。</translation>
  </message>
  <message>
   <source>emb_dim is {emb_dim} and n_heads is {n_heads}; emb_dim must be a multiple of n_heads, for example {near}.</source>
   <translation>emb_dim 为 {emb_dim}，n_heads 为 {n_heads}；emb_dim 必须是 n_heads 的倍数，例如 {near}。</translation>
  </message>
  <message>
   <source>empty</source>
   <translation>空</translation>
  </message>
  <message>
   <source>empty: one text only</source>
   <translation>留空：只有一个文本</translation>
  </message>
  <message>
   <source>epoch {n}</source>
   <translation>第 {n} 轮</translation>
  </message>
  <message>
   <source>epoch {n} of {all}</source>
   <translation>第 {n} 轮，共 {all} 轮</translation>
  </message>
  <message>
   <source>equals stands alone, without at_least and at_most.</source>
   <translation>equals 要单独使用，不能与 at_least、at_most 一起。</translation>
  </message>
  <message>
   <source>exact GELU</source>
   <translation>精确的 GELU</translation>
  </message>
  <message>
   <source>exactly {value}</source>
   <translation>正好是 {value}</translation>
  </message>
  <message>
   <source>exp({x})</source>
   <translation>exp({x})</translation>
  </message>
  <message>
   <source>expected</source>
   <translation>期望</translation>
  </message>
  <message>
   <source>feed forward</source>
   <translation>前馈网络</translation>
  </message>
  <message>
   <source>first and last logits of each token</source>
   <translation>每个词元开头和末尾的 logits</translation>
  </message>
  <message>
   <source>fits</source>
   <translation>够用</translation>
  </message>
  <message>
   <source>float32</source>
   <translation>float32</translation>
  </message>
  <message>
   <source>fp32</source>
   <translation>fp32</translation>
  </message>
  <message>
   <source>fp32 decodes with the weights as they are. bf16 and int8 round a copy of them to half and a quarter of the bits: faster on a processor, and no longer exactly this model. Attention, layers and neighbours are read in fp32.</source>
   <translation>fp32 用原样的权重解码。bf16 和 int8 把权重的一份副本舍入到一半和四分之一的位数:在处理器上更快,但不再完全是这个模型。注意力、各层和近邻总是以 fp32 读取。</translation>
  </message>
  <message>
   <source>freeze leaves nothing to train; allowed is to leave out at least one part.</source>
   <translation>freeze 没有留下任何可训练的部分；至少要有一个部分不冻结。</translation>
  </message>
  <message>
   <source>freeze_blocks is {blocks}; the model has {layers} blocks, so allowed is at most {layers}.</source>
   <translation>freeze_blocks 为 {blocks}；模型有 {layers} 个块，因此最多允许 {layers}。</translation>
  </message>
  <message>
   <source>fresh weights</source>
   <translation>全新权重</translation>
  </message>
  <message>
   <source>from the formula</source>
   <translation>由公式算得</translation>
  </message>
  <message>
   <source>from {low} to {high}</source>
   <translation>{low} 到 {high} 之间</translation>
  </message>
  <message>
   <source>gpt2-large</source>
   <translation>gpt2-large</translation>
  </message>
  <message>
   <source>gpt2-medium</source>
   <translation>gpt2-medium</translation>
  </message>
  <message>
   <source>gpt2-small</source>
   <translation>gpt2-small</translation>
  </message>
  <message>
   <source>gpt2-xl</source>
   <translation>gpt2-xl</translation>
  </message>
  <message>
   <source>gradients</source>
   <translation>梯度</translation>
  </message>
  <message>
   <source>guessing: {loss}</source>
   <translation>随意猜：{loss}</translation>
  </message>
  <message>
   <source>h E</source>
   <translation>h E</translation>
  </message>
  <message>
   <source>hand</source>
   <translation>手工</translation>
  </message>
  <message>
   <source>hand: type them, and play with the arithmetic. model: what the model gives to each token that comes next.</source>
   <translation>手工：自己输入，摆弄这套算术。模型：模型给每个接下来的词元的概率。</translation>
  </message>
  <message>
   <source>head {number}</source>
   <translation>头 {number}</translation>
  </message>
  <message>
   <source>heads of {size}</source>
   <translation>{size} 的注意力头数</translation>
  </message>
  <message>
   <source>how many words are left</source>
   <translation>留下多少个词</translation>
  </message>
  <message>
   <source>id</source>
   <translation>编号</translation>
  </message>
  <message>
   <source>ids</source>
   <translation>ID</translation>
  </message>
  <message>
   <source>impossible</source>
   <translation>不可能</translation>
  </message>
  <message>
   <source>in no window</source>
   <translation>不在任何窗口中</translation>
  </message>
  <message>
   <source>input and target</source>
   <translation>输入与目标</translation>
  </message>
  <message>
   <source>input has {count} numbers, and the first of layer_sizes is {size}; they must be as many.</source>
   <translation>input 有 {count} 个数，而 layer_sizes 的第一个是 {size}；两者必须相等。</translation>
  </message>
  <message>
   <source>input of this window</source>
   <translation>此窗口的输入</translation>
  </message>
  <message>
   <source>input, place {place}, is {value}; allowed is a number from {low} to {high}.</source>
   <translation>input 第 {place} 个数是 {value}；允许的是 {low} 到 {high} 之间的数。</translation>
  </message>
  <message>
   <source>inputs</source>
   <translation>输入</translation>
  </message>
  <message>
   <source>inputs x</source>
   <translation>输入 x</translation>
  </message>
  <message>
   <source>inputs · W_key</source>
   <translation>输入 · W_key</translation>
  </message>
  <message>
   <source>inputs · W_query</source>
   <translation>输入 · W_query</translation>
  </message>
  <message>
   <source>inputs · W_value</source>
   <translation>输入 · W_value</translation>
  </message>
  <message>
   <source>it could not be read: {why}.</source>
   <translation>无法读取：{why}。</translation>
  </message>
  <message>
   <source>it is not on this computer</source>
   <translation>它不在这台电脑上</translation>
  </message>
  <message>
   <source>it was cut off meanwhile</source>
   <translation>文件在读取期间被截断</translation>
  </message>
  <message>
   <source>it was not read: settings have at most {most} KB.</source>
   <translation>未读取：设置文件最大为 {most} KB。</translation>
  </message>
  <message>
   <source>its SHA-256</source>
   <translation>它的 SHA-256</translation>
  </message>
  <message>
   <source>its means</source>
   <translation>输出的均值</translation>
  </message>
  <message>
   <source>its target</source>
   <translation>它的目标</translation>
  </message>
  <message>
   <source>its tokens</source>
   <translation>它的词元数</translation>
  </message>
  <message>
   <source>its variances</source>
   <translation>输出的方差</translation>
  </message>
  <message>
   <source>jump</source>
   <translation>跳升</translation>
  </message>
  <message>
   <source>keys k</source>
   <translation>键 k</translation>
  </message>
  <message>
   <source>knows nothing</source>
   <translation>什么都不懂</translation>
  </message>
  <message>
   <source>knows nothing: {loss}</source>
   <translation>什么都不懂：{loss}</translation>
  </message>
  <message>
   <source>language is '{value}'; the languages are {known}.</source>
   <translation>language 为“{value}”；可用的语言是 {known}。</translation>
  </message>
  <message>
   <source>largest</source>
   <translation>最大的</translation>
  </message>
  <message>
   <source>last</source>
   <translation>最后</translation>
  </message>
  <message>
   <source>layer</source>
   <translation>层</translation>
  </message>
  <message>
   <source>layer is {layer}; this model has {layers}. Choose a layer from 1 to {layers}.</source>
   <translation>layer 为 {layer}；这个模型有 {layers} 层。请选 1 到 {layers} 的层。</translation>
  </message>
  <message>
   <source>layer_sizes makes {count} layers; allowed is from 1 to {most}.</source>
   <translation>layer_sizes 给出 {count} 层；允许 1 到 {most} 层。</translation>
  </message>
  <message>
   <source>layer_sizes, place {place}, is {size}; allowed is a width from 1 to {most}.</source>
   <translation>layer_sizes 的第 {place} 个是 {size}；允许的宽度为 1 到 {most}。</translation>
  </message>
  <message>
   <source>layers of {size}</source>
   <translation>{size} 的层数</translation>
  </message>
  <message>
   <source>line {line}: {what}</source>
   <translation>第 {line} 行：{what}</translation>
  </message>
  <message>
   <source>ln p</source>
   <translation>ln p</translation>
  </message>
  <message>
   <source>logit</source>
   <translation>logit</translation>
  </message>
  <message>
   <source>logits</source>
   <translation>logits</translation>
  </message>
  <message>
   <source>logits has {count} numbers; allowed are {all}, one for each word.</source>
   <translation>logits 有 {count} 个数；应有 {all} 个，每个词一个。</translation>
  </message>
  <message>
   <source>logits z</source>
   <translation>logits z</translation>
  </message>
  <message>
   <source>logits, place {place}, is {value}; allowed is a number from {low} to {high}.</source>
   <translation>logits 的第 {place} 个是 {value}；允许 {low} 到 {high} 的数。</translation>
  </message>
  <message>
   <source>logits[0, {minus}1, {id}] = {logit}: {token} has place {place}</source>
   <translation>logits[0, {minus}1, {id}] = {logit}：{token} 排第 {place}</translation>
  </message>
  <message>
   <source>loss</source>
   <translation>损失</translation>
  </message>
  <message>
   <source>mask first</source>
   <translation>先掩码</translation>
  </message>
  <message>
   <source>mask last</source>
   <translation>后掩码</translation>
  </message>
  <message>
   <source>mask last is divided by its row's sum again</source>
   <translation>后掩码时再除以该行之和</translation>
  </message>
  <message>
   <source>mask m</source>
   <translation>掩码 m</translation>
  </message>
  <message>
   <source>masked scores ω</source>
   <translation>掩码后的分数 ω</translation>
  </message>
  <message>
   <source>masked softmax σ</source>
   <translation>掩码后的 softmax σ</translation>
  </message>
  <message>
   <source>matrix</source>
   <translation>矩阵</translation>
  </message>
  <message>
   <source>matrix: one matrix under a magnifying glass. model: the three places in a GPT.</source>
   <translation>矩阵：放大看一个矩阵。模型：GPT 中的三处。</translation>
  </message>
  <message>
   <source>mean</source>
   <translation>均值</translation>
  </message>
  <message>
   <source>mean and loss</source>
   <translation>均值与损失</translation>
  </message>
  <message>
   <source>mean before</source>
   <translation>之前的平均值</translation>
  </message>
  <message>
   <source>mean distance {bits} bit</source>
   <translation>平均距离 {bits} 比特</translation>
  </message>
  <message>
   <source>mean of ln p</source>
   <translation>ln p 的平均</translation>
  </message>
  <message>
   <source>mean surprise {bits} bits</source>
   <translation>平均惊讶度 {bits} 比特</translation>
  </message>
  <message>
   <source>mean μ</source>
   <translation>均值 μ</translation>
  </message>
  <message>
   <source>megabytes of {size}</source>
   <translation>{size} 的 MB 数</translation>
  </message>
  <message>
   <source>megabytes with bias</source>
   <translation>带偏置的 MB 数</translation>
  </message>
  <message>
   <source>min-p</source>
   <translation>min-p</translation>
  </message>
  <message>
   <source>min_learning_rate is {lowest}; allowed is at most the learning rate, {rate}.</source>
   <translation>min_learning_rate 为 {lowest}；最多等于学习率 {rate}。</translation>
  </message>
  <message>
   <source>model</source>
   <translation>模型</translation>
  </message>
  <message>
   <source>more than once</source>
   <translation>不止一次</translation>
  </message>
  <message>
   <source>mu is the sum of a row's numbers divided by how many there are</source>
   <translation>μ 等于一行的数之和除以个数</translation>
  </message>
  <message>
   <source>nn.Linear</source>
   <translation>nn.Linear</translation>
  </message>
  <message>
   <source>no</source>
   <translation>否</translation>
  </message>
  <message>
   <source>no telling part of</source>
   <translation>无法比较</translation>
  </message>
  <message>
   <source>none</source>
   <translation>无</translation>
  </message>
  <message>
   <source>norm</source>
   <translation>归一化</translation>
  </message>
  <message>
   <source>norm, output layer</source>
   <translation>归一化，输出层</translation>
  </message>
  <message>
   <source>normalised x̂</source>
   <translation>归一化 x̂</translation>
  </message>
  <message>
   <source>not divided</source>
   <translation>未相除</translation>
  </message>
  <message>
   <source>not measured on this computer yet</source>
   <translation>还没有在这台电脑上测过</translation>
  </message>
  <message>
   <source>nothing</source>
   <translation>无</translation>
  </message>
  <message>
   <source>nothing can be checked here.</source>
   <translation>这里没有可检查的值。</translation>
  </message>
  <message>
   <source>nothing yet</source>
   <translation>还没有</translation>
  </message>
  <message>
   <source>nothing, for it comes later</source>
   <translation>无，因为它在后面</translation>
  </message>
  <message>
   <source>nowhere</source>
   <translation>不停</translation>
  </message>
  <message>
   <source>numbers with commas between them</source>
   <translation>以逗号分隔的数</translation>
  </message>
  <message>
   <source>numbers with commas between them, and semicolons between the rows</source>
   <translation>以逗号分隔的数，行与行之间用分号</translation>
  </message>
  <message>
   <source>of each column</source>
   <translation>各列的</translation>
  </message>
  <message>
   <source>of each row</source>
   <translation>各行的</translation>
  </message>
  <message>
   <source>of one token</source>
   <translation>一个词元</translation>
  </message>
  <message>
   <source>of {all}</source>
   <translation>共 {all}</translation>
  </message>
  <message>
   <source>of {n} draws</source>
   <translation>{n} 次抽取</translation>
  </message>
  <message>
   <source>off</source>
   <translation>关</translation>
  </message>
  <message>
   <source>on</source>
   <translation>开</translation>
  </message>
  <message>
   <source>once for both</source>
   <translation>只设一次</translation>
  </message>
  <message>
   <source>one</source>
   <translation>一</translation>
  </message>
  <message>
   <source>one attention module of GPT-2 small</source>
   <translation>GPT-2 small 的一个注意力模块</translation>
  </message>
  <message>
   <source>one character in {n} tokens, ids {ids}</source>
   <translation>{n} 个词元合成一个字符，id {ids}</translation>
  </message>
  <message>
   <source>one feed-forward module of GPT-2 small</source>
   <translation>GPT-2 small 的一个前馈网络模块</translation>
  </message>
  <message>
   <source>one of {choices}</source>
   <translation> {choices} 之一</translation>
  </message>
  <message>
   <source>one text or several</source>
   <translation>一篇或多篇文本</translation>
  </message>
  <message>
   <source>one-hot vector h</source>
   <translation>独热向量 h</translation>
  </message>
  <message>
   <source>only a target</source>
   <translation>只作为目标</translation>
  </message>
  <message>
   <source>only at the end</source>
   <translation>仅在结束时</translation>
  </message>
  <message>
   <source>optimizer</source>
   <translation>优化器</translation>
  </message>
  <message>
   <source>order is {order}; allowed is each of {stages} once.</source>
   <translation>order 为 {order}；{stages} 每个应出现一次。</translation>
  </message>
  <message>
   <source>other has {count} tokens, and text has {first}; the rows of a batch must be as long.</source>
   <translation>other 有 {count} 个词元，而 text 有 {first} 个；一个批次的各行必须一样长。</translation>
  </message>
  <message>
   <source>output y</source>
   <translation>输出 y</translation>
  </message>
  <message>
   <source>over epochs</source>
   <translation>按轮数</translation>
  </message>
  <message>
   <source>over steps</source>
   <translation>按步数</translation>
  </message>
  <message>
   <source>over time</source>
   <translation>按时间</translation>
  </message>
  <message>
   <source>overfitting</source>
   <translation>过拟合</translation>
  </message>
  <message>
   <source>own</source>
   <translation>自定义</translation>
  </message>
  <message>
   <source>p i is e to the power of z i divided by T, over the sum of that for the top k words</source>
   <translation>p i 等于 e 的（z i 除以 T）次方，除以前 k 个词的同样的数之和</translation>
  </message>
  <message>
   <source>p({token}) = 0: held for impossible</source>
   <translation>p({token}) = 0：被认为不可能</translation>
  </message>
  <message>
   <source>p({token}) = {p}: one chance in {count}</source>
   <translation>p({token}) = {p}：{count} 次中有一次</translation>
  </message>
  <message>
   <source>parameters</source>
   <translation>参数</translation>
  </message>
  <message>
   <source>parameters of a feed-forward module</source>
   <translation>一个前馈网络的参数</translation>
  </message>
  <message>
   <source>parameters of an attention module</source>
   <translation>一个注意力模块的参数</translation>
  </message>
  <message>
   <source>parameters of {size}</source>
   <translation>{size} 的参数</translation>
  </message>
  <message>
   <source>parameters of {size}, tied</source>
   <translation>{size} 的参数，共享权重</translation>
  </message>
  <message>
   <source>parameters with bias</source>
   <translation>带偏置的参数</translation>
  </message>
  <message>
   <source>perplexity</source>
   <translation>困惑度</translation>
  </message>
  <message>
   <source>perplexity is e to the power of L</source>
   <translation>困惑度等于 e 的 L 次方</translation>
  </message>
  <message>
   <source>placeholder</source>
   <translation>占位模型</translation>
  </message>
  <message>
   <source>position matrix P</source>
   <translation>位置矩阵 P</translation>
  </message>
  <message>
   <source>precision is 'bf16'; with reference arithmetic, allowed is fp32 or auto.</source>
   <translation>precision 为 'bf16'；使用参考运算时可取 fp32 或 auto。</translation>
  </message>
  <message>
   <source>precision is {precision}; with reference arithmetic, allowed is fp32.</source>
   <translation>precision 为 {precision};使用参考算法时,只允许 fp32。</translation>
  </message>
  <message>
   <source>preset is {value}; the presets are {names}.</source>
   <translation>preset 是 {value}；可用的预设是 {names}。</translation>
  </message>
  <message>
   <source>probabilities has {count} numbers; allowed is from 1 to {high}.</source>
   <translation>probabilities 有 {count} 个数；允许 1 到 {high} 个。</translation>
  </message>
  <message>
   <source>probabilities, place {place}, is {value}; allowed is a number from 0 to 1.</source>
   <translation>probabilities 的第 {place} 个是 {value}；允许 0 到 1 的数。</translation>
  </message>
  <message>
   <source>probability p</source>
   <translation>概率 p</translation>
  </message>
  <message>
   <source>prompt</source>
   <translation>提示词</translation>
  </message>
  <message>
   <source>prompt has {count} characters; allowed is up to {high}.</source>
   <translation>prompt 有 {count} 个字符；最多允许 {high} 个。</translation>
  </message>
  <message>
   <source>prompt is empty; allowed is a word or two to go on from.</source>
   <translation>prompt 是空的；请写一两个词作为开头。</translation>
  </message>
  <message>
   <source>queries q</source>
   <translation>查询 q</translation>
  </message>
  <message>
   <source>query is {query}; there are {count} words.</source>
   <translation>query 为 {query}；共有 {count} 个词。</translation>
  </message>
  <message>
   <source>rand</source>
   <translation>rand</translation>
  </message>
  <message>
   <source>rank {n}</source>
   <translation>第 {n} 名</translation>
  </message>
  <message>
   <source>rate {rate}</source>
   <translation>学习率 {rate}</translation>
  </message>
  <message>
   <source>repetition</source>
   <translation>重复惩罚</translation>
  </message>
  <message>
   <source>reused</source>
   <translation>复用</translation>
  </message>
  <message>
   <source>row of id {id}</source>
   <translation>ID {id} 的行</translation>
  </message>
  <message>
   <source>row of id {id}, the first {count} of {width} numbers</source>
   <translation>ID {id} 的行，{width} 个数字中的前 {count} 个</translation>
  </message>
  <message>
   <source>row {index}</source>
   <translation>第 {index} 行</translation>
  </message>
  <message>
   <source>runtime</source>
   <translation>运行库</translation>
  </message>
  <message>
   <source>same</source>
   <translation>相同</translation>
  </message>
  <message>
   <source>sample_prompt is empty; allowed is a word or two, or a sample of 0 tokens.</source>
   <translation>sample_prompt 为空；请写一两个词，或把样本长度设为 0 个词元。</translation>
  </message>
  <message>
   <source>scaled scores</source>
   <translation>缩放后的分数</translation>
  </message>
  <message>
   <source>scores ω</source>
   <translation>分数 ω</translation>
  </message>
  <message>
   <source>scratch</source>
   <translation>临时空间</translation>
  </message>
  <message>
   <source>seed {n}</source>
   <translation>种子 {n}</translation>
  </message>
  <message>
   <source>seed {seed}, “{section}”</source>
   <translation>讲义 {seed}，“{section}”</translation>
  </message>
  <message>
   <source>shape</source>
   <translation>形状</translation>
  </message>
  <message>
   <source>shape of the position rows</source>
   <translation>位置行的形状</translation>
  </message>
  <message>
   <source>shape of the sum</source>
   <translation>和的形状</translation>
  </message>
  <message>
   <source>shape of the token rows</source>
   <translation>词元行的形状</translation>
  </message>
  <message>
   <source>shapes only</source>
   <translation>仅形状</translation>
  </message>
  <message>
   <source>sigma squared is the mean of the squared distances from mu</source>
   <translation>σ 平方等于与 μ 之差的平方的均值</translation>
  </message>
  <message>
   <source>sigma squared is the sum of the squared distances from mu, divided by one less than n</source>
   <translation>σ² 是各数到 μ 的距离的平方和，除以 n 减 1</translation>
  </message>
  <message>
   <source>slope</source>
   <translation>斜率</translation>
  </message>
  <message>
   <source>softmax</source>
   <translation>softmax</translation>
  </message>
  <message>
   <source>softmax p</source>
   <translation>softmax p</translation>
  </message>
  <message>
   <source>softmax σ</source>
   <translation>softmax σ</translation>
  </message>
  <message>
   <source>split is 'documents', and there is only one, {name}. Add another text, or split by characters.</source>
   <translation>划分方式为“按文档”，但只有一篇：{name}。请再添加一篇文本，或改为按字符划分。</translation>
  </message>
  <message>
   <source>step</source>
   <translation>步</translation>
  </message>
  <message>
   <source>step {n}</source>
   <translation>第 {n} 步</translation>
  </message>
  <message>
   <source>story</source>
   <translation>我们的故事</translation>
  </message>
  <message>
   <source>sum</source>
   <translation>和</translation>
  </message>
  <message>
   <source>swish of x is x divided by one plus e to the minus x</source>
   <translation>swish(x) 等于 x 除以（1 加 e 的负 x 次方）</translation>
  </message>
  <message>
   <source>tanh GELU</source>
   <translation>tanh 形式的 GELU</translation>
  </message>
  <message>
   <source>targets</source>
   <translation>目标</translation>
  </message>
  <message>
   <source>temperature</source>
   <translation>温度</translation>
  </message>
  <message>
   <source>temperature 0: only the largest logit stays; {logit} becomes {value}</source>
   <translation>温度 0：只留下最大的 logit；{logit} 变成 {value}</translation>
  </message>
  <message>
   <source>text</source>
   <translation>文本</translation>
  </message>
  <message>
   <source>text has {count} characters; allowed are {most} at the most.</source>
   <translation>text 有 {count} 个字符；最多可有 {most} 个。</translation>
  </message>
  <message>
   <source>text has {count} tokens; allowed is from 1 to {most}.</source>
   <translation>text 有 {count} 个词元；允许 1 到 {most} 个。</translation>
  </message>
  <message>
   <source>text is empty; allowed is text of at least one character.</source>
   <translation>text 是空的；至少要有一个字符。</translation>
  </message>
  <message>
   <source>text is empty; allowed is verdict, story, or at least one file.</source>
   <translation>text 为空；可取 verdict、story，或至少一个文件。</translation>
  </message>
  <message>
   <source>text, head, query, key: {shape}, in {times} layers</source>
   <translation>文本、头、查询、键：{shape}，共 {times} 层</translation>
  </message>
  <message>
   <source>text, token, number: {shape}, once</source>
   <translation>文本、词元、数：{shape}，一次</translation>
  </message>
  <message>
   <source>text, token, number: {shape}, {times} times</source>
   <translation>文本、词元、数：{shape}，{times} 次</translation>
  </message>
  <message>
   <source>the batch</source>
   <translation>批次</translation>
  </message>
  <message>
   <source>the book's code</source>
   <translation>书中的代码</translation>
  </message>
  <message>
   <source>the context of “Your”</source>
   <translation>“Your”的上下文向量</translation>
  </message>
  <message>
   <source>the context of “journey”</source>
   <translation>“journey”的上下文向量</translation>
  </message>
  <message>
   <source>the contexts</source>
   <translation>上下文向量</translation>
  </message>
  <message>
   <source>the end of its text</source>
   <translation>文本结尾</translation>
  </message>
  <message>
   <source>the first weights</source>
   <translation>初始权重</translation>
  </message>
  <message>
   <source>the gradient of the first weights is a product with one factor J for each layer behind it</source>
   <translation>第一层权重的梯度是一个乘积，其后的每一层贡献一个因子 J</translation>
  </message>
  <message>
   <source>the ids</source>
   <translation>词元 ID</translation>
  </message>
  <message>
   <source>the inputs</source>
   <translation>输入</translation>
  </message>
  <message>
   <source>the means of the rows</source>
   <translation>各行的均值</translation>
  </message>
  <message>
   <source>the means of what LayerNorm gives</source>
   <translation>LayerNorm 输出的均值</translation>
  </message>
  <message>
   <source>the model ended it with &lt;|endoftext|&gt;</source>
   <translation>模型以 &lt;|endoftext|&gt; 结束</translation>
  </message>
  <message>
   <source>the model's</source>
   <translation>模型自己的</translation>
  </message>
  <message>
   <source>the model's logits</source>
   <translation>模型的 logits</translation>
  </message>
  <message>
   <source>the model's logits with bias, first token of the first text</source>
   <translation>带偏置模型的 logits，第一个文本的第一个词元</translation>
  </message>
  <message>
   <source>the model's logits with bias, second token of the first text</source>
   <translation>带偏置模型的 logits，第一个文本的第二个词元</translation>
  </message>
  <message>
   <source>the model's logits, first token of the first text</source>
   <translation>模型的 logits，第一个文本的第一个词元</translation>
  </message>
  <message>
   <source>the model's logits, last token of the second text</source>
   <translation>模型的 logits，第二个文本的最后一个词元</translation>
  </message>
  <message>
   <source>the next id is the argmax of the model's logits for the last c ids</source>
   <translation>下一个编号，是模型对最后 c 个编号给出的 logits 的 argmax</translation>
  </message>
  <message>
   <source>the number of parameters</source>
   <translation>参数量</translation>
  </message>
  <message>
   <source>the number of tokens written</source>
   <translation>已写出的词元数</translation>
  </message>
  <message>
   <source>the page '{page}' is not there; the pages are {known}.</source>
   <translation>没有页面“{page}”；可用的页面是 {known}。</translation>
  </message>
  <message>
   <source>the parameters are about 12 times layers times width squared, plus vocabulary and context times width, plus vocabulary times width</source>
   <translation>参数约为 12 乘层数乘宽度的平方，加上词表与上下文之和乘宽度，再加上词表乘宽度</translation>
  </message>
  <message>
   <source>the perplexity</source>
   <translation>困惑度</translation>
  </message>
  <message>
   <source>the placeholder's logits</source>
   <translation>占位模型的 logits</translation>
  </message>
  <message>
   <source>the placeholder's logits, first token of the first text</source>
   <translation>占位模型的 logits，第一个文本的第一个词元</translation>
  </message>
  <message>
   <source>the placeholder's logits, last token of the second text</source>
   <translation>占位模型的 logits，第二个文本的最后一个词元</translation>
  </message>
  <message>
   <source>the preset {name}</source>
   <translation>预设 {name}</translation>
  </message>
  <message>
   <source>the probabilities after top-k</source>
   <translation>top-k 之后的概率</translation>
  </message>
  <message>
   <source>the repetition penalty</source>
   <translation>重复惩罚</translation>
  </message>
  <message>
   <source>the row of id 3</source>
   <translation>ID 3 的那一行</translation>
  </message>
  <message>
   <source>the rows normalised</source>
   <translation>归一化后的各行</translation>
  </message>
  <message>
   <source>the same matrix as the token embedding</source>
   <translation>与词元嵌入是同一个矩阵</translation>
  </message>
  <message>
   <source>the scores of “journey”</source>
   <translation>“journey”的分数</translation>
  </message>
  <message>
   <source>the settings</source>
   <translation>设置</translation>
  </message>
  <message>
   <source>the shape of the logits</source>
   <translation>logits 的形状</translation>
  </message>
  <message>
   <source>the shape of the output layer's weights</source>
   <translation>输出层权重的形状</translation>
  </message>
  <message>
   <source>the shape of what a block hands on</source>
   <translation>一个块交出的数的形状</translation>
  </message>
  <message>
   <source>the shape of what comes out</source>
   <translation>输出的形状</translation>
  </message>
  <message>
   <source>the sum of a row</source>
   <translation>一行之和</translation>
  </message>
  <message>
   <source>the tab '{tab}' is not there; the tabs are {known}.</source>
   <translation>没有标签页“{tab}”；可用的标签页是 {known}。</translation>
  </message>
  <message>
   <source>the targets</source>
   <translation>目标</translation>
  </message>
  <message>
   <source>the text</source>
   <translation>文本</translation>
  </message>
  <message>
   <source>the text decoded again</source>
   <translation>解码还原的文本</translation>
  </message>
  <message>
   <source>the text has ended</source>
   <translation>文本已结束</translation>
  </message>
  <message>
   <source>the text to stop at was written</source>
   <translation>写到了停止文本</translation>
  </message>
  <message>
   <source>the texts</source>
   <translation>文本</translation>
  </message>
  <message>
   <source>the three logits that are left, and the cut ones</source>
   <translation>留下的三个 logits 和被去掉的</translation>
  </message>
  <message>
   <source>the top logits, largest first</source>
   <translation>最大的几个 logits，从大到小</translation>
  </message>
  <message>
   <source>the weights of “Your”</source>
   <translation>“Your”的权重</translation>
  </message>
  <message>
   <source>the weights of “journey”</source>
   <translation>“journey”的权重</translation>
  </message>
  <message>
   <source>the words</source>
   <translation>词</translation>
  </message>
  <message>
   <source>their mean, the loss: {loss}</source>
   <translation>它们的平均，即损失：{loss}</translation>
  </message>
  <message>
   <source>their means then</source>
   <translation>归一化后各行的均值</translation>
  </message>
  <message>
   <source>their places, likeliest first</source>
   <translation>它们的位置，最可能的在前</translation>
  </message>
  <message>
   <source>their variances</source>
   <translation>各行的方差</translation>
  </message>
  <message>
   <source>their variances then</source>
   <translation>归一化后各行的方差</translation>
  </message>
  <message>
   <source>then; the current sampling settings cut it off</source>
   <translation>（当时）；按现在的设置它会被截掉</translation>
  </message>
  <message>
   <source>then; {p} with the current sampling settings</source>
   <translation>（当时）；按现在的设置是 {p}</translation>
  </message>
  <message>
   <source>there is no field '{name}' here; the fields are {known}.</source>
   <translation>这里没有名为“{name}”的字段；可用的字段有：{known}。</translation>
  </message>
  <message>
   <source>there is no file {path} for lesson.</source>
   <translation>lesson 所指的文件 {path} 不存在。</translation>
  </message>
  <message>
   <source>there is no folder {path} for texts.</source>
   <translation>texts 所指的文件夹 {path} 不存在。</translation>
  </message>
  <message>
   <source>there is no lesson '{value}'; those that come with the program are {known}, and a file of your own ends in {ending}.</source>
   <translation>没有课程“{value}”；随程序提供的课程是 {known}，您自己的课程文件以 {ending} 结尾。</translation>
  </message>
  <message>
   <source>there is no such file.</source>
   <translation>没有这个文件。</translation>
  </message>
  <message>
   <source>there is no value '{value}' to check here; the values are {known}.</source>
   <translation>这里没有可检查的值“{value}”；可用的值是 {known}。</translation>
  </message>
  <message>
   <source>this check is reached by nothing; it needs at_least, at_most or equals.</source>
   <translation>这个检查项永远无法达到；它需要 at_least、at_most 或 equals。</translation>
  </message>
  <message>
   <source>this is not TOML: too many brackets within each other.</source>
   <translation>这不是 TOML：括号嵌套太深。</translation>
  </message>
  <message>
   <source>this is not TOML: {what}.</source>
   <translation>这不是 TOML：{what}。</translation>
  </message>
  <message>
   <source>this is not UTF-8. Please save the file in this encoding.</source>
   <translation>这不是 UTF-8。请用这种编码保存文件。</translation>
  </message>
  <message>
   <source>this lesson has no steps; each begins with [[step]] on a line of its own.</source>
   <translation>这门课程没有步骤；每个步骤以单独一行的 [[step]] 开头。</translation>
  </message>
  <message>
   <source>tied</source>
   <translation>共享</translation>
  </message>
  <message>
   <source>to one scale</source>
   <translation>同一比例</translation>
  </message>
  <message>
   <source>token + position embedding</source>
   <translation>词元嵌入 + 位置嵌入</translation>
  </message>
  <message>
   <source>token matrix E</source>
   <translation>词元矩阵 E</translation>
  </message>
  <message>
   <source>token rows</source>
   <translation>词元行</translation>
  </message>
  <message>
   <source>token {n}</source>
   <translation>第 {n} 个词元</translation>
  </message>
  <message>
   <source>tokens {first} to {last}</source>
   <translation>第 {first} 到 {last} 个词元</translation>
  </message>
  <message>
   <source>top-k</source>
   <translation>top-k</translation>
  </message>
  <message>
   <source>top-p</source>
   <translation>top-p</translation>
  </message>
  <message>
   <source>torch's cross_entropy, from the logits: {value}; apart from the loss by {apart}</source>
   <translation>torch 的 cross_entropy，由 logits 算出：{value}；与上面的损失相差 {apart}</translation>
  </message>
  <message>
   <source>torch's own</source>
   <translation>torch 自带</translation>
  </message>
  <message>
   <source>torch.rand</source>
   <translation>torch.rand</translation>
  </message>
  <message>
   <source>training loss</source>
   <translation>训练损失</translation>
  </message>
  <message>
   <source>true or false</source>
   <translation>真或假</translation>
  </message>
  <message>
   <source>validation loss</source>
   <translation>验证损失</translation>
  </message>
  <message>
   <source>value</source>
   <translation>值</translation>
  </message>
  <message>
   <source>values v</source>
   <translation>值 v</translation>
  </message>
  <message>
   <source>values, projection</source>
   <translation>值，投影</translation>
  </message>
  <message>
   <source>variance</source>
   <translation>方差</translation>
  </message>
  <message>
   <source>variance σ²</source>
   <translation>方差 σ²</translation>
  </message>
  <message>
   <source>verdict</source>
   <translation>The Verdict</translation>
  </message>
  <message>
   <source>vocab_size is {known}, and a token of the texts has the id {largest}; allowed is at least {least}.</source>
   <translation>vocab_size 为 {known}，而文本中有词元的 ID 是 {largest}；至少须为 {least}。</translation>
  </message>
  <message>
   <source>vocab_size is {size}; to read text, GPT-2's tokenizer needs at least {least}.</source>
   <translation>vocab_size 为 {size}；要读文本，GPT-2 的分词器至少需要 {least}。</translation>
  </message>
  <message>
   <source>weights</source>
   <translation>权重</translation>
  </message>
  <message>
   <source>weights a, some struck</source>
   <translation>权重 a，部分划去</translation>
  </message>
  <message>
   <source>weights α</source>
   <translation>权重 α</translation>
  </message>
  <message>
   <source>weights α, mask first</source>
   <translation>权重 α，先掩码</translation>
  </message>
  <message>
   <source>weights α, mask last</source>
   <translation>权重 α，后掩码</translation>
  </message>
  <message>
   <source>what LayerNorm gives</source>
   <translation>LayerNorm 的输出</translation>
  </message>
  <message>
   <source>what becomes of them</source>
   <translation>它们变成什么</translation>
  </message>
  <message>
   <source>what came was not the text that was asked for</source>
   <translation>收到的不是所要的文本</translation>
  </message>
  <message>
   <source>what comes out</source>
   <translation>输出</translation>
  </message>
  <message>
   <source>where 95 % of all seeds are</source>
   <translation>95 % 的种子落在其间</translation>
  </message>
  <message>
   <source>where GELU's slope is 0</source>
   <translation>GELU 斜率为 0 之处</translation>
  </message>
  <message>
   <source>whole numbers with commas between them</source>
   <translation>以逗号分隔的整数</translation>
  </message>
  <message>
   <source>width of {size}</source>
   <translation>{size} 的宽度</translation>
  </message>
  <message>
   <source>window {k}</source>
   <translation>窗口 {k}</translation>
  </message>
  <message>
   <source>with</source>
   <translation>有</translation>
  </message>
  <message>
   <source>with bias</source>
   <translation>带偏置</translation>
  </message>
  <message>
   <source>with shortcuts</source>
   <translation>有快捷连接</translation>
  </message>
  <message>
   <source>with shortcuts each factor is the identity I plus J</source>
   <translation>有快捷连接时，每个因子是单位矩阵 I 加 J</translation>
  </message>
  <message>
   <source>with shortcuts, built second</source>
   <translation>有快捷连接，后建立</translation>
  </message>
  <message>
   <source>with shortcuts, exact GELU</source>
   <translation>有快捷连接，精确的 GELU</translation>
  </message>
  <message>
   <source>with shortcuts, layers 0 to 4</source>
   <translation>有快捷连接，第 0 至 4 层</translation>
  </message>
  <message>
   <source>without</source>
   <translation>无</translation>
  </message>
  <message>
   <source>without shortcuts</source>
   <translation>无快捷连接</translation>
  </message>
  <message>
   <source>without shortcuts, exact GELU</source>
   <translation>无快捷连接，精确的 GELU</translation>
  </message>
  <message>
   <source>without shortcuts, layers 0 to 4</source>
   <translation>无快捷连接，第 0 至 4 层</translation>
  </message>
  <message>
   <source>words has {count} words, and inputs has {rows} rows of numbers; there must be as many.</source>
   <translation>words 有 {count} 个词，而 inputs 有 {rows} 行数；两者必须一样多。</translation>
  </message>
  <message>
   <source>workshop</source>
   <translation>workshop</translation>
  </message>
  <message>
   <source>x</source>
   <translation>x</translation>
  </message>
  <message>
   <source>x hat is x minus mu, divided by the root of sigma squared plus epsilon</source>
   <translation>x̂ 等于 x 减 μ，除以 σ 平方加 ε 的平方根</translation>
  </message>
  <message>
   <source>x is the row of the id in the token matrix E, plus the row of its position in the matrix P.</source>
   <translation>x 是词元矩阵 E 中该 ID 的行，加上位置矩阵 P 中其位置的行。</translation>
  </message>
  <message>
   <source>x, number {at}: {row} + {place} = {sum}</source>
   <translation>x 的第 {at} 个数：{row} + {place} = {sum}</translation>
  </message>
  <message>
   <source>y is gamma times x hat plus beta</source>
   <translation>y 等于 γ 乘 x̂ 加 β</translation>
  </message>
  <message>
   <source>yes</source>
   <translation>是</translation>
  </message>
  <message>
   <source>z / T</source>
   <translation>z / T</translation>
  </message>
  <message>
   <source>zero</source>
   <translation>零</translation>
  </message>
  <message>
   <source>{average} on average over {n} draws; before it was {value}</source>
   <translation>{n} 次抽取平均为 {average}；之前是 {value}</translation>
  </message>
  <message>
   <source>{axis} {x}</source>
   <translation>{axis} {x}</translation>
  </message>
  <message>
   <source>{before}
{line}</source>
   <translation>{before}
{line}</translation>
  </message>
  <message>
   <source>{before} → {after}</source>
   <translation>{before} → {after}</translation>
  </message>
  <message>
   <source>{before} → {after} bits</source>
   <translation>{before} → {after} 比特</translation>
  </message>
  <message>
   <source>{before}, then {rate} from step {n}</source>
   <translation>{before}，从第 {n} 步起为 {rate}</translation>
  </message>
  <message>
   <source>{bits} bit until they part</source>
   <translation>分开之前 {bits} 比特</translation>
  </message>
  <message>
   <source>{config}, untrained, seed {seed}</source>
   <translation>{config}，未训练，种子 {seed}</translation>
  </message>
  <message>
   <source>{count} / {expected}</source>
   <translation>{count} / {expected}</translation>
  </message>
  <message>
   <source>{count} draws / expected</source>
   <translation>{count} 次抽取／预期</translation>
  </message>
  <message>
   <source>{count} layers</source>
   <translation>{count} 层</translation>
  </message>
  <message>
   <source>{count} of {all} numbers agree with the printed ones</source>
   <translation>{all} 个数中有 {count} 个与印出的一致</translation>
  </message>
  <message>
   <source>{count} of {all} words can be drawn; to find out which takes {entropy} yes-or-no questions on average (bits). Orange cross: how often to expect a word, and how far chance mostly leads from that.</source>
   <translation>{all} 个词中有 {count} 个可能被抽到；要猜出是哪一个，平均需要 {entropy} 个是非问题（比特）。橙色十字：一个词预期出现多少次，以及偶然性通常使它偏离多少。</translation>
  </message>
  <message>
   <source>{count} parameters, {size}</source>
   <translation>{count} 个参数，{size}</translation>
  </message>
  <message>
   <source>{count} seeds. Line: half of them are below it. Band: all but the lowest and the highest tenth.</source>
   <translation>{count} 个随机种子。线：一半的种子在它之下。带：除去最低和最高的十分之一后的全部。</translation>
  </message>
  <message>
   <source>{dials}, in this order</source>
   <translation>{dials}，按此顺序</translation>
  </message>
  <message>
   <source>{first} (and {more} more)</source>
   <translation>{first}（另有 {more} 个）</translation>
  </message>
  <message>
   <source>{first} and {second}</source>
   <translation>{first}和{second}</translation>
  </message>
  <message>
   <source>{first} at first, {peak} at most, {last} in the end</source>
   <translation>起初 {first}，最高 {peak}，最后 {last}</translation>
  </message>
  <message>
   <source>{folder} is a folder without .txt or .md files. Choose a text file, or a folder of some.</source>
   <translation>{folder} 这个文件夹里没有 .txt 或 .md 文件。请选择文本文件，或含有文本文件的文件夹。</translation>
  </message>
  <message>
   <source>{heads} heads with {width} numbers each: a context of {all} numbers for each word.</source>
   <translation>{heads} 个头，每头 {width} 个数：每个词的上下文向量有 {all} 个数。</translation>
  </message>
  <message>
   <source>{host} could not be reached, or stopped answering: {why}. There is no connection, or a firewall or a proxy stands between. Try again when there is one: what has come is kept.</source>
   <translation>无法连接 {host}，或它停止了应答：{why}。可能没有网络连接，或者被防火墙或代理阻挡。连上网络后请重试：已下载的部分会保留。</translation>
  </message>
  <message>
   <source>{host} does not have {repository} (answer {status}). If HF_ENDPOINT names a mirror, ask who keeps it.</source>
   <translation>{host} 上没有 {repository}（应答 {status}）。如果 HF_ENDPOINT 指向镜像站，请询问其维护者。</translation>
  </message>
  <message>
   <source>{host} does not say which version of {name} it has, how large that is and what its checksum is, so nobody could know whether it arrived whole. It does not serve models as huggingface.co does: look at HF_ENDPOINT in the environment.</source>
   <translation>{host} 没有说明 {name} 的版本、大小和校验和，因此无法知道它是否完整送达。它提供模型的方式与 huggingface.co 不同：请检查环境变量 HF_ENDPOINT。</translation>
  </message>
  <message>
   <source>{host} gives {repository} only to people whom it knows (answer {status}), and GPT Studio sends no password.</source>
   <translation>{host} 只向它认识的用户提供 {repository}（应答 {status}），而 GPT Studio 不发送任何密码。</translation>
  </message>
  <message>
   <source>{host} has a trouble of its own (answer {status}). Try again later: what has come is kept.</source>
   <translation>{host} 自身出了问题（应答 {status}）。请稍后再试：已下载的部分会保留。</translation>
  </message>
  <message>
   <source>{host} said that {name} has {size} bytes, and sent another number of them. What came was deleted. Try again; if it happens again, the server's copy is damaged.</source>
   <translation>{host} 说 {name} 有 {size} 字节，实际发送的数量却不同。收到的内容已删除。请重试；如果再次发生，说明服务器上的副本已损坏。</translation>
  </message>
  <message>
   <source>{host} was asked too often from this network (answer 429). Try again in some minutes: what has come is kept.</source>
   <translation>来自此网络的请求过于频繁，{host} 暂时拒绝（应答 429）。请过几分钟再试：已下载的部分会保留。</translation>
  </message>
  <message>
   <source>{h} h {m} min</source>
   <translation>{h} 小时 {m} 分</translation>
  </message>
  <message>
   <source>{id} ×{count}</source>
   <translation>{id} ×{count}</translation>
  </message>
  <message>
   <source>{kept} of the {n} tokens that are not listed stay</source>
   <translation>未列出的 {n} 个词元中保留 {kept} 个</translation>
  </message>
  <message>
   <source>{kept} of {total} are here already and are kept.</source>
   <translation>{total} 中的 {kept} 已在这里，并会保留。</translation>
  </message>
  <message>
   <source>{key} has '{name}', which is no control; gptstudio settings --controls lists all of them.</source>
   <translation>{key} 中的“{name}”不是控件；gptstudio settings --controls 会列出全部控件。</translation>
  </message>
  <message>
   <source>{key} has '{name}', which is no control; near to it is {near}.</source>
   <translation>{key} 中的“{name}”不是控件；最接近的是 {near}。</translation>
  </message>
  <message>
   <source>{key} in config.json is {value}; allowed is {what}. The file is damaged or was written by hand; fetch it anew.</source>
   <translation>config.json 中的 {key} 是 {value}；允许的是{what}。文件已损坏或被手工改写；请重新获取。</translation>
  </message>
  <message>
   <source>{key} in config.json is {value}; in a GPT-2 as it is built here it is {allowed}. This model computes something else and cannot be opened; choose one with the architecture of GPT-2.</source>
   <translation>config.json 中的 {key} 是 {value}；这里构建的 GPT-2 中它是 {allowed}。这个模型计算的是别的函数，无法打开；请选择采用 GPT-2 架构的模型。</translation>
  </message>
  <message>
   <source>{key} is empty; it needs some words.</source>
   <translation>{key} 是空的；请写几个字。</translation>
  </message>
  <message>
   <source>{key} is missing.</source>
   <translation>缺少 {key}。</translation>
  </message>
  <message>
   <source>{key} is not a list of steps; each begins with [[{key}]] on a line of its own.</source>
   <translation>{key} 不是步骤列表；每个步骤以单独一行的 [[{key}]] 开头。</translation>
  </message>
  <message>
   <source>{key} is {value}; allowed is {what}.</source>
   <translation>{key} 是 {value}；允许的是{what}。</translation>
  </message>
  <message>
   <source>{known}, of which no more than a factor of {most} is believed</source>
   <translation>{known}，最多只采信 {most} 倍</translation>
  </message>
  <message>
   <source>{known}, without saving checkpoints</source>
   <translation>{known}，不含保存检查点</translation>
  </message>
  <message>
   <source>{k} of {n} tokens equal</source>
   <translation>{n} 个词元中 {k} 个相同</translation>
  </message>
  <message>
   <source>{label} is {theirs} there and {ours} here</source>
   <translation>{label}：那边为 {theirs}，这边为 {ours}</translation>
  </message>
  <message>
   <source>{label} is {theirs} there and {ours} here, and positions that were never learned cannot be made up</source>
   <translation>{label}：那边为 {theirs}，这边为 {ours}，而从未学过的位置无法凭空得来</translation>
  </message>
  <message>
   <source>{layer}, after “{read}”:   {said}</source>
   <translation>{layer}，读到“{read}”之后：{said}</translation>
  </message>
  <message>
   <source>{lesson} ({length})</source>
   <translation>{lesson}（{length}）</translation>
  </message>
  <message>
   <source>{loss}: as if among {count} equally likely tokens</source>
   <translation>{loss}：如同在 {count} 个可能性相同的词元中挑选</translation>
  </message>
  <message>
   <source>{minus} ln p as bars, and below them p</source>
   <translation>条形为 {minus} ln p，下方刻度为 p</translation>
  </message>
  <message>
   <source>{minutes} min</source>
   <translation>{minutes} 分钟</translation>
  </message>
  <message>
   <source>{minutes} min in all</source>
   <translation>共 {minutes} 分钟</translation>
  </message>
  <message>
   <source>{model} is reading: {done} of {all} tokens</source>
   <translation>{model} 正在读：{done} / {all} 个词元</translation>
  </message>
  <message>
   <source>{model}, on {device}</source>
   <translation>{model}，在 {device} 上</translation>
  </message>
  <message>
   <source>{much} of memory for training</source>
   <translation>训练用内存 {much}</translation>
  </message>
  <message>
   <source>{m} min {s} s</source>
   <translation>{m} 分 {s} 秒</translation>
  </message>
  <message>
   <source>{names} is written.</source>
   <translation>已写入 {names}。</translation>
  </message>
  <message>
   <source>{name} has the shape {shape}, and {expected} was expected. The weights and what describes them do not belong together, or are of another kind of model; choose files of one GPT-2.</source>
   <translation>{name} 的形状是 {shape}，而应为 {expected}。权重与其描述不配套，或属于另一种模型；请选择同一个 GPT-2 的文件。</translation>
  </message>
  <message>
   <source>{name} has {count} characters; allowed is up to {high}.</source>
   <translation>{name} 有 {count} 个字符；最多允许 {high} 个。</translation>
  </message>
  <message>
   <source>{name} has {count} columns; allowed is from {low} to {high}.</source>
   <translation>{name} 有 {count} 列；可取 {low} 到 {high} 列。</translation>
  </message>
  <message>
   <source>{name} has {count} rows; allowed is from {low} to {high}.</source>
   <translation>{name} 有 {count} 行；可取 {low} 到 {high} 行。</translation>
  </message>
  <message>
   <source>{name} holds {kind}; weights are float32, float16, bfloat16 or float64. Weights that were quantised or packed cannot be opened; choose the model as it was published at first.</source>
   <translation>{name} 的类型是 {kind}；权重应为 float32、float16、bfloat16 或 float64。经过量化或打包的权重无法打开；请选择最初发布的模型。</translation>
  </message>
  <message>
   <source>{name} is empty; allowed is at least one row of numbers.</source>
   <translation>{name} 为空；至少要有一行数。</translation>
  </message>
  <message>
   <source>{name} is gone, so the weights are new.</source>
   <translation>{name} 已不存在，因此改用新权重。</translation>
  </message>
  <message>
   <source>{name} is in these weights twice, under different prefixes. Choose a file that holds one model.</source>
   <translation>{name} 在这些权重中出现了两次，前缀不同。请选择只含一个模型的文件。</translation>
  </message>
  <message>
   <source>{name} is missing.</source>
   <translation>缺少 {name}。</translation>
  </message>
  <message>
   <source>{name} is not a setting; nothing can be set here.</source>
   <translation>{name} 不是设置项；这里没有可设置的内容。</translation>
  </message>
  <message>
   <source>{name} is not a setting; the settings are {known}.</source>
   <translation>{name} 不是设置项；设置项有 {known}。</translation>
  </message>
  <message>
   <source>{name} is now among your models.</source>
   <translation>{name} 已在你的模型中。</translation>
  </message>
  <message>
   <source>{name} is {rate}; at 1 every number is struck, and what the rest are multiplied by, 1 / (1 - 1), is infinite. Allowed is up to {highest}.</source>
   <translation>{name} 为 {rate}；为 1 时所有数都被划去，而其余数的乘数 1 / (1 - 1) 为无穷大。最大可取 {highest}。</translation>
  </message>
  <message>
   <source>{name} is {text}; allowed are two tokens at least: one to read, and one to foretell.</source>
   <translation>{name} 是 {text}；至少要有两个词元：一个用来读，一个用来预测。</translation>
  </message>
  <message>
   <source>{name} is {value}; allowed is a group of settings.</source>
   <translation>{name} 为 {value}；应为一组设置。</translation>
  </message>
  <message>
   <source>{name} is {value}; allowed is {what}.</source>
   <translation>{name} 为 {value}；可取{what}。</translation>
  </message>
  <message>
   <source>{name} was added to your runs.</source>
   <translation>{name} 已加入你的训练记录。</translation>
  </message>
  <message>
   <source>{name} with {n} more</source>
   <translation>{name} 和另外 {n} 个</translation>
  </message>
  <message>
   <source>{name} {shape}</source>
   <translation>{name} {shape}</translation>
  </message>
  <message>
   <source>{name} {value}, slope {slope}</source>
   <translation>{name} {value}，斜率 {slope}</translation>
  </message>
  <message>
   <source>{name}, place {place}, is {value}; allowed is {what}.</source>
   <translation>{name} 第 {place} 个为 {value}；可取{what}。</translation>
  </message>
  <message>
   <source>{name}, row {row}, column {column}, is {value}; allowed is a number from {low} to {high}.</source>
   <translation>{name} 第 {row} 行第 {column} 列是 {value}；允许的是 {low} 到 {high} 之间的数。</translation>
  </message>
  <message>
   <source>{name}, row {row}, column {column}, is {value}; allowed is {what}.</source>
   <translation>{name} 第 {row} 行第 {column} 列为 {value}；可取{what}。</translation>
  </message>
  <message>
   <source>{name}, row {row}, has {count} numbers, and row 1 has {width}; all rows must be as long.</source>
   <translation>{name} 第 {row} 行有 {count} 个数，而第 1 行有 {width} 个；所有行必须一样长。</translation>
  </message>
  <message>
   <source>{name}, token by token</source>
   <translation>{name}，逐词元显示</translation>
  </message>
  <message>
   <source>{name}, untrained, seed {seed}</source>
   <translation>{name}，未训练，种子 {seed}</translation>
  </message>
  <message>
   <source>{needed} MB are still to be fetched, and {folder} has only {free} MB free. Make room there, or name a folder on another disk in HF_HOME in the environment.</source>
   <translation>还需下载 {needed} MB，而 {folder} 只剩 {free} MB 可用空间。请在那里腾出空间，或用环境变量 HF_HOME 指定另一个磁盘上的文件夹。</translation>
  </message>
  <message>
   <source>{needed} of {free} free</source>
   <translation>{needed} / 空闲 {free}</translation>
  </message>
  <message>
   <source>{number} from {low} to {high}</source>
   <translation>{low} 到 {high} 的{number}</translation>
  </message>
  <message>
   <source>{number} of at least {low}</source>
   <translation>不小于 {low} 的{number}</translation>
  </message>
  <message>
   <source>{number}, or nothing</source>
   <translation>{number}，或留空</translation>
  </message>
  <message>
   <source>{n} M</source>
   <translation>{n} M</translation>
  </message>
  <message>
   <source>{n} bits or more</source>
   <translation>{n} 比特及以上</translation>
  </message>
  <message>
   <source>{n} blocks</source>
   <translation>{n} 个块</translation>
  </message>
  <message>
   <source>{n} branches</source>
   <translation>{n} 个分支</translation>
  </message>
  <message>
   <source>{n} choices, with dials {m}</source>
   <translation>{n} 种选择，采样后 {m}</translation>
  </message>
  <message>
   <source>{n} if tied to the embedding</source>
   <translation>与嵌入共享时为 {n}</translation>
  </message>
  <message>
   <source>{n} more</source>
   <translation>其余 {n} 个</translation>
  </message>
  <message>
   <source>{n} new tokens. Click one.</source>
   <translation>{n} 个新词元。单击其中一个。</translation>
  </message>
  <message>
   <source>{n} of {all} are in both lists.</source>
   <translation>{all} 个中有 {n} 个同在两个列表里。</translation>
  </message>
  <message>
   <source>{n} of {total} parameters learn.</source>
   <translation>{total} 个参数中有 {n} 个参与学习。</translation>
  </message>
  <message>
   <source>{n} others</source>
   <translation>其余 {n} 个</translation>
  </message>
  <message>
   <source>{n} parameters</source>
   <translation>{n} 个参数</translation>
  </message>
  <message>
   <source>{n} stay</source>
   <translation>留 {n} 个</translation>
  </message>
  <message>
   <source>{n} texts</source>
   <translation>{n} 篇文本</translation>
  </message>
  <message>
   <source>{n} tokens</source>
   <translation>{n} 个词元</translation>
  </message>
  <message>
   <source>{n} tokens/s</source>
   <translation>{n} 词元/秒</translation>
  </message>
  <message>
   <source>{n} with an output layer of its own</source>
   <translation>输出层独立时为 {n}</translation>
  </message>
  <message>
   <source>{n}, each {width} wide</source>
   <translation>{n} 个，每个宽 {width}</translation>
  </message>
  <message>
   <source>{n}, tied: one matrix reads and predicts tokens</source>
   <translation>{n}，共享：读入和预测词元用同一个矩阵</translation>
  </message>
  <message>
   <source>{n}, with an output layer of its own</source>
   <translation>{n}，有独立的输出层</translation>
  </message>
  <message>
   <source>{n}th or later</source>
   <translation>第 {n} 及以后</translation>
  </message>
  <message>
   <source>{one}; {other}</source>
   <translation>{one}；{other}</translation>
  </message>
  <message>
   <source>{parameters} parameters; the placeholder has {placeholder}.</source>
   <translation>{parameters} 个参数；占位模型有 {placeholder} 个。</translation>
  </message>
  <message>
   <source>{part} of {model}: {arithmetic} = {count}, {share} of all.</source>
   <translation>{model} 的{part}：{arithmetic} = {count}，占全部的 {share}。</translation>
  </message>
  <message>
   <source>{part}: {size}</source>
   <translation>{part}：{size}</translation>
  </message>
  <message>
   <source>{part}; context {context}, stride {stride}, batch {batch}</source>
   <translation>{part}；上下文 {context}，步幅 {stride}，批大小 {batch}</translation>
  </message>
  <message>
   <source>{path} cannot be written: {why}. Choose another place.</source>
   <translation>无法写入 {path}：{why}。请换一个位置。</translation>
  </message>
  <message>
   <source>{path} could not be read: {why}.</source>
   <translation>无法读取 {path}：{why}。</translation>
  </message>
  <message>
   <source>{path} could not be written: {why}. Nothing was kept of it. Choose another place, or make room.</source>
   <translation>{path} 无法写入：{why}。没有留下任何内容。请换一个位置，或腾出空间。</translation>
  </message>
  <message>
   <source>{path} could not be written: {why}. {n} bytes are free there. Free some space and try again.</source>
   <translation>无法写入 {path}：{why}。那里有 {n} 字节可用。请腾出一些空间后重试。</translation>
  </message>
  <message>
   <source>{path} has {size} MB; at most {most} are read.</source>
   <translation>{path} 有 {size} MB；最多读取 {most} MB。</translation>
  </message>
  <message>
   <source>{path} holds a model already. Name another folder, or say that it may be replaced.</source>
   <translation>{path} 中已有一个模型。请指定另一个文件夹，或允许替换它。</translation>
  </message>
  <message>
   <source>{path} holds {name}, which is no part of an exported model. Nothing was changed there: name a folder that is not there yet.</source>
   <translation>{path} 中有 {name}，它不属于导出的模型。那里没有任何改动：请指定一个尚不存在的文件夹。</translation>
  </message>
  <message>
   <source>{path} is a device or a pipe, not a file with a text in it. Choose another.</source>
   <translation>{path} 是设备或管道，不是含有文本的文件。请选择另一个。</translation>
  </message>
  <message>
   <source>{path} is a file. Name a folder for the model.</source>
   <translation>{path} 是一个文件。请为模型指定一个文件夹。</translation>
  </message>
  <message>
   <source>{path} is a folder. Choose a text file in it.</source>
   <translation>{path} 是文件夹。请选择其中的文本文件。</translation>
  </message>
  <message>
   <source>{path} is a folder. Name a file for the model, for example {file}.</source>
   <translation>{path} 是一个文件夹。请为模型指定一个文件，例如 {file}。</translation>
  </message>
  <message>
   <source>{path} is a model that GPT Studio keeps, and nothing else is written there. Name another place.</source>
   <translation>{path} 是 GPT Studio 保存的一个模型,不会向其中写入其他内容。请另选一个位置。</translation>
  </message>
  <message>
   <source>{path} is empty. Choose a text with some words in it.</source>
   <translation>{path} 是空的。请选择有内容的文本。</translation>
  </message>
  <message>
   <source>{path} is no longer listed. It stays where it is.</source>
   <translation>{path} 不再列出。文件留在原处。</translation>
  </message>
  <message>
   <source>{path} is not {title} as it was published: its checksum is {found}, the published SHA-256 is {pinned}. It was changed, damaged, or fetched from another server. Delete it and fetch the model again; to use it as weights of your own, open it with Model &gt; Open weights.</source>
   <translation>{path} 不是公开发布的 {title}：其校验和为 {found}，而公布的 SHA-256 为 {pinned}。它被改动过、已损坏，或来自其他服务器。请删除它并重新下载模型；若要把它当作自己的权重使用，请通过“模型 &gt; 打开权重”打开。</translation>
  </message>
  <message>
   <source>{path} is there already. Name another file, or say that it may be replaced.</source>
   <translation>{path} 已经存在。请指定另一个文件，或允许替换它。</translation>
  </message>
  <message>
   <source>{path} is written, and beside it the text, {text}.</source>
   <translation>已写入 {path}，旁边是文本 {text}。</translation>
  </message>
  <message>
   <source>{path} is written.</source>
   <translation>已写入 {path}。</translation>
  </message>
  <message>
   <source>{path} is written: {size}.</source>
   <translation>已写入 {path}：{size}。</translation>
  </message>
  <message>
   <source>{path} needs {needed} MB, and {free} MB are free there. Make room, or choose another place.</source>
   <translation>{path} 需要 {needed} MB，而那里只剩 {free} MB。请腾出空间，或换一个位置。</translation>
  </message>
  <message>
   <source>{path} was added to the list.</source>
   <translation>{path} 已加入列表。</translation>
  </message>
  <message>
   <source>{path} was changed while it was read. Try again.</source>
   <translation>{path} 在读取时被更改了。请再试一次。</translation>
  </message>
  <message>
   <source>{piece}  ·  id {id}  ·  bytes {bytes}</source>
   <translation>{piece}  ·  ID {id}  ·  字节 {bytes}</translation>
  </message>
  <message>
   <source>{power} / {sum}, the sum of such powers of all {count} logits, = {share}</source>
   <translation>{power} / {sum}（全部 {count} 个 logits 的同样的幂之和）= {share}</translation>
  </message>
  <message>
   <source>{power}. Printed is 48725.8203, of numbers with 32 bits: the last digit of such a loss moves it by 0.05.</source>
   <translation>{power}。印出的是 48725.8203，用 32 位数算得：这种损失的最后一位就会让它变动 0.05。</translation>
  </message>
  <message>
   <source>{p} is at least {min} × {top}: stays</source>
   <translation>{p} 不小于 {min} × {top}：保留</translation>
  </message>
  <message>
   <source>{p} is less than {min} × {top}: cut</source>
   <translation>{p} 小于 {min} × {top}：剔除</translation>
  </message>
  <message>
   <source>{p}, cut by {stage}</source>
   <translation>{p}，被{stage}剔除</translation>
  </message>
  <message>
   <source>{rate} at every step</source>
   <translation>每一步都是 {rate}</translation>
  </message>
  <message>
   <source>{row}  →  {column}:  {value}</source>
   <translation>{row}  →  {column}：{value}</translation>
  </message>
  <message>
   <source>{row}, {column}: {value}</source>
   <translation>{row}，{column}：{value}</translation>
  </message>
  <message>
   <source>{run}, as it is now</source>
   <translation>{run}，此刻的状态</translation>
  </message>
  <message>
   <source>{run}, as it was after step {n}</source>
   <translation>{run}，第 {n} 步之后的状态</translation>
  </message>
  <message>
   <source>{run}, before its first step</source>
   <translation>{run}，第一步之前</translation>
  </message>
  <message>
   <source>{run}, step {n}</source>
   <translation>{run}，第 {n} 步</translation>
  </message>
  <message>
   <source>{same} of {total} numbers still as printed</source>
   <translation>{total} 个数中有 {same} 个仍与原文一致</translation>
  </message>
  <message>
   <source>{share} of the characters to learn from</source>
   <translation>{share} 的字符用于学习</translation>
  </message>
  <message>
   <source>{share} of the characters to learn from, as closely as whole texts allow</source>
   <translation>{share} 的字符用于学习（以整篇文本为单位尽量接近）</translation>
  </message>
  <message>
   <source>{share} times</source>
   <translation>{share} 倍</translation>
  </message>
  <message>
   <source>{side} ended after {n} new tokens: {reason}.</source>
   <translation>{side}边写了 {n} 个新词元后结束：{reason}。</translation>
  </message>
  <message>
   <source>{side}:  {words}</source>
   <translation>{side}：{words}</translation>
  </message>
  <message>
   <source>{side}: the prompt is longer than the context; its first {n} tokens are not seen.</source>
   <translation>{side}：提示词比上下文长；开头的 {n} 个词元看不到。</translation>
  </message>
  <message>
   <source>{sign} After the embeddings</source>
   <translation>{sign} 嵌入之后</translation>
  </message>
  <message>
   <source>{sign} Before each shortcut is added</source>
   <translation>{sign} 每次加快捷连接之前</translation>
  </message>
  <message>
   <source>{sign} Not reached yet: {name} is not there yet; to reach: {target}.</source>
   <translation>{sign} 尚未达到：还没有{name}；目标：{target}。</translation>
  </message>
  <message>
   <source>{sign} Not reached yet: {name} is {now}; to reach: {target}.</source>
   <translation>{sign} 尚未达到：{name}现在是 {now}；目标：{target}。</translation>
  </message>
  <message>
   <source>{sign} On the attention weights</source>
   <translation>{sign} 在注意力权重上</translation>
  </message>
  <message>
   <source>{sign} Reached: {name} was to be {target}.</source>
   <translation>{sign} 已达到：{name}的目标是{target}。</translation>
  </message>
  <message>
   <source>{sign} all {total} numbers as printed</source>
   <translation>{sign} 全部 {total} 个数与原文一致</translation>
  </message>
  <message>
   <source>{sign} {name}</source>
   <translation>{sign} {name}</translation>
  </message>
  <message>
   <source>{sign} {name}: all {count}</source>
   <translation>{sign} {name}：全部 {count} 个</translation>
  </message>
  <message>
   <source>{sign} {name}: nothing here to compare it with</source>
   <translation>{sign} {name}：这里没有可比较的数</translation>
  </message>
  <message>
   <source>{sign} {name}: {same} of {count}</source>
   <translation>{sign} {name}：{count} 个中 {same} 个</translation>
  </message>
  <message>
   <source>{size} go into the cache that huggingface_hub shares with other programs.</source>
   <translation>{size} 存入 huggingface_hub 与其他程序共用的缓存。</translation>
  </message>
  <message>
   <source>{size} of weights</source>
   <translation>权重 {size}</translation>
  </message>
  <message>
   <source>{size}, of {free} that are free</source>
   <translation>{size}，空闲 {free}</translation>
  </message>
  <message>
   <source>{stage} is off and leaves it at {x}</source>
   <translation>{stage}未启用，仍为 {x}</translation>
  </message>
  <message>
   <source>{step} {shape}.</source>
   <translation>{step} {shape}。</translation>
  </message>
  <message>
   <source>{stored}; it is kept as fp32</source>
   <translation>{stored}；保存为 fp32</translation>
  </message>
  <message>
   <source>{struck} of {all} numbers struck in this draw: {share}</source>
   <translation>这次抽取划去了 {all} 个数中的 {struck} 个：{share}</translation>
  </message>
  <message>
   <source>{struck} of {all} squares are struck</source>
   <translation>{all} 个方格中划去了 {struck} 个</translation>
  </message>
  <message>
   <source>{struck} of {all} weights are struck. The row of “{word}” now sums to {sum}.</source>
   <translation>{all} 个权重中划去了 {struck} 个。“{word}”一行之和现为 {sum}。</translation>
  </message>
  <message>
   <source>{sum} = {p}</source>
   <translation>{sum} = {p}</translation>
  </message>
  <message>
   <source>{sum} lies before it, less than {p}: stays</source>
   <translation>排在它前面的合计 {sum}，小于 {p}：保留</translation>
  </message>
  <message>
   <source>{sum} lies before it, which reaches {p}: cut</source>
   <translation>排在它前面的合计 {sum}，已达到 {p}：剔除</translation>
  </message>
  <message>
   <source>{s} s</source>
   <translation>{s} 秒</translation>
  </message>
  <message>
   <source>{tokens} tokens to learn from, {val} to test with  ·  {per} steps an epoch  ·  {all} steps</source>
   <translation>{tokens} 个词元用于学习，{val} 个用于测试  ·  每轮 {per} 步  ·  共 {all} 步</translation>
  </message>
  <message>
   <source>{tokens} · {bits} bits · {mean} a token</source>
   <translation>{tokens} · {bits} 比特 · 每词元 {mean}</translation>
  </message>
  <message>
   <source>{token}   id {id}</source>
   <translation>{token}   id {id}</translation>
  </message>
  <message>
   <source>{token}   id {id}, drawn with {p}, {bits} bits of surprise</source>
   <translation>{token}   id {id}，以 {p} 抽中，惊讶度 {bits} 比特</translation>
  </message>
  <message>
   <source>{token}  at {n}</source>
   <translation>{token}  位置 {n}</translation>
  </message>
  <message>
   <source>{token}  ·  id {id}</source>
   <translation>{token}  ·  id {id}</translation>
  </message>
  <message>
   <source>{token}  ·  id {id}  ·  token {n} of {all}: nothing stands before it, so nothing was expected.</source>
   <translation>{token}  ·  id {id}  ·  第 {n} 个词元，共 {all} 个：前面没有内容，所以无从预期。</translation>
  </message>
  <message>
   <source>{token}  ·  id {id}  ·  token {n} of {all}: {bits} bits of surprise. The model gave it {p}, rank {rank}; its choice was open by {open} bits.</source>
   <translation>{token}  ·  id {id}  ·  第 {n} 个词元，共 {all} 个：惊讶度 {bits} 比特。模型给它 {p}，排第 {rank}；当时的选择有 {open} 比特的不确定性。</translation>
  </message>
  <message>
   <source>{token}: comes later</source>
   <translation>{token}：以后才出现</translation>
  </message>
  <message>
   <source>{token}: comes of this step</source>
   <translation>{token}：这一步得到</translation>
  </message>
  <message>
   <source>{token}: id {id}, rank {place} of {n} by the model</source>
   <translation>{token}：id {id}，在模型的 {n} 个词元中排第 {place}</translation>
  </message>
  <message>
   <source>{token}: id {id}, rank {place} of {n} by the model, in the text already</source>
   <translation>{token}：id {id}，在模型的 {n} 个词元中排第 {place}，文本中已有</translation>
  </message>
  <message>
   <source>{token}: out of the context, and not read any more</source>
   <translation>{token}：已在上下文之外，不再读入</translation>
  </message>
  <message>
   <source>{token}: read in this step</source>
   <translation>{token}：这一步读入</translation>
  </message>
  <message>
   <source>{value} begins at {bound:g}; it is never at most {asked:g}.</source>
   <translation>{value} 最小是 {bound:g}，永远不会低到 {asked:g}。</translation>
  </message>
  <message>
   <source>{value} goes up to {bound:g}; it is never at least {asked:g}.</source>
   <translation>{value} 最大是 {bound:g}，永远不会达到 {asked:g}。</translation>
  </message>
  <message>
   <source>{value} is a number; it never equals {other}.</source>
   <translation>{value} 是数字，永远不会等于 {other}。</translation>
  </message>
  <message>
   <source>{value} is no number; a check can only say what it equals.</source>
   <translation>{value} 不是数字；检查项只能规定它等于什么。</translation>
  </message>
  <message>
   <source>{value} is struck: 0</source>
   <translation>{value} 被划去：0</translation>
  </message>
  <message>
   <source>{value} · {mask} / (1 − {rate}) = {out}</source>
   <translation>{value} · {mask} / (1 − {rate}) = {out}</translation>
  </message>
  <message>
   <source>{value}, as it was: no later word</source>
   <translation>{value}，保持不变：不是后面的词</translation>
  </message>
  <message>
   <source>{value}, not divided</source>
   <translation>{value}，未相除</translation>
  </message>
  <message>
   <source>{what} ({keys})</source>
   <translation>{what}（{keys}）</translation>
  </message>
  <message>
   <source>{what} Choose the processor (cpu); to use the device again, start the program anew.</source>
   <translation>{what}请选择处理器 (cpu)；要再次使用该设备，请重新启动本程序。</translation>
  </message>
  <message>
   <source>{what} Or copy the model's folder from a computer that has it, and open it with Model &gt; Open weights.</source>
   <translation>{what}也可以从有该模型的电脑复制它的文件夹，再用“模型 &gt; 打开权重”打开。</translation>
  </message>
  <message>
   <source>{what} is not what was saved: it was cut off or changed. Get it from where you have a copy. If you changed it yourself, take the line that begins with "sha256" out of it, and the comma before.</source>
   <translation>{what} 与保存时不同：它被截断或改动了。请从您的备份中取回。如果是您自己改动的，请删去其中以 "sha256" 开头的那一行以及它前面的逗号。</translation>
  </message>
  <message>
   <source>{what} is taken away from here on (Delete). Undo brings it back.</source>
   <translation>从这里起移除{what}（Delete）。可以撤销。</translation>
  </message>
  <message>
   <source>{what} {left}</source>
   <translation>{what}{left}</translation>
  </message>
  <message>
   <source>{what}:  {value}</source>
   <translation>{what}：{value}</translation>
  </message>
  <message>
   <source>{what}: checking and writing …</source>
   <translation>{what}：正在校验并写入 …</translation>
  </message>
  <message>
   <source>{what}: {done} of {total}</source>
   <translation>{what}：{done}，共 {total}</translation>
  </message>
  <message>
   <source>{what}: {done} of {total}, {rate} a second, {left} left</source>
   <translation>{what}：{done}，共 {total}，每秒 {rate}，还需 {left}</translation>
  </message>
  <message>
   <source>{where}, smoothed</source>
   <translation>{where}，已平滑</translation>
  </message>
  <message>
   <source>{why} The one of step {n} is whole: the run can go on from it, and what it learned since is lost.</source>
   <translation>{why} 第 {n} 步的检查点是完好的：训练可以从那里继续，但此后学到的内容会丢失。</translation>
  </message>
  <message>
   <source>{width} numbers for each token cannot be divided among {heads} heads. Possible are {possible}.</source>
   <translation>每个词元的 {width} 个数无法平分给 {heads} 个头。可选的头数有：{possible}。</translation>
  </message>
  <message>
   <source>{words} Chosen now: {name}.</source>
   <translation>{words}现在选的是：{name}。</translation>
  </message>
  <message>
   <source>{word} has place {place} of those that are left</source>
   <translation>{word} 在留下的词中排第 {place}</translation>
  </message>
  <message>
   <source>{word} is cut into {count} words before anything is merged; choose one of them.</source>
   <translation>{word} 在合并之前会被切成 {count} 个词；请选择其中一个。</translation>
  </message>
  <message>
   <source>{word} is not among those that are left: {value}</source>
   <translation>{word} 不在留下的词里：{value}</translation>
  </message>
  <message>
   <source>{word}: logit {logit}; by itself, softmax gives it {p}</source>
   <translation>{word}：logit {logit}；不加调节时 softmax 给它 {p}</translation>
  </message>
  <message>
   <source>{x} / ({top} + …, {n} tokens in all)</source>
   <translation>{x} / ({top} + …，共 {n} 个词元)</translation>
  </message>
  <message>
   <source>{zeros} of {all} numbers are struck; the rest are multiplied by 1 / (1 − {rate}) = {scale}. The mean was {before} and is {after}; over {n} draws it is {average}.</source>
   <translation>{all} 个数中划去了 {zeros} 个；其余乘以 1 / (1 − {rate}) = {scale}。平均值原为 {before}，现为 {after}；{n} 次抽取的平均为 {average}。</translation>
  </message>
  <message>
   <source>× 0 or 1, by chance</source>
   <translation>× 0 或 1，随机</translation>
  </message>
  <message>
   <source>“{key}” comes later than “{query}”, which must not see it.</source>
   <translation>“{key}”在“{query}”之后，后者不可看到它。</translation>
  </message>
  <message>
   <source>“{query}” · “{key}”:  {sum}</source>
   <translation>“{query}” · “{key}”：{sum}</translation>
  </message>
  <message>
   <source>“{word}” is {n} tokens; this is the first of them.</source>
   <translation>“{word}”是 {n} 个词元；这里查的是第一个。</translation>
  </message>
  <message>
   <source>“{word}” looks most at “{most}” ({high}) and least at “{least}” ({low}).</source>
   <translation>“{word}”看“{most}”最多（{high}），看“{least}”最少（{low}）。</translation>
  </message>
  <message>
   <source>“{word}”, merges done: {step} of {last}</source>
   <translation>“{word}”，已合并：{step} / {last}</translation>
  </message>
  <message>
   <source>… attention</source>
   <translation>… 注意力</translation>
  </message>
  <message>
   <source>… embeddings</source>
   <translation>… 嵌入</translation>
  </message>
  <message>
   <source>… off by</source>
   <translation>… 误差</translation>
  </message>
  <message>
   <source>… shortcuts</source>
   <translation>… 快捷连接</translation>
  </message>
  <message>
   <source>… tied</source>
   <translation>… 共享权重</translation>
  </message>
  <message>
   <source>… {ids}</source>
   <translation>… {ids}</translation>
  </message>
  <message>
   <source>→ and times {scale}</source>
   <translation>→ 再乘以 {scale}</translation>
  </message>
  <message>
   <source>→ as the mask leaves them</source>
   <translation>→ 掩码之后的样子</translation>
  </message>
  <message>
   <source>→ divided by √d_k</source>
   <translation>→ 除以 √d_k</translation>
  </message>
  <message>
   <source>→ each query · each key</source>
   <translation>→ 每个查询 · 每个键</translation>
  </message>
  <message>
   <source>→ each row divided by its sum</source>
   <translation>→ 每行除以其和</translation>
  </message>
  <message>
   <source>→ each word · each word</source>
   <translation>→ 每个词 · 每个词</translation>
  </message>
  <message>
   <source>→ later words 0</source>
   <translation>→ 后面的词为 0</translation>
  </message>
  <message>
   <source>→ later words −∞</source>
   <translation>→ 后面的词为 −∞</translation>
  </message>
  <message>
   <source>→ not divided</source>
   <translation>→ 未相除</translation>
  </message>
  <message>
   <source>→ nothing struck</source>
   <translation>→ 未划去任何数</translation>
  </message>
  <message>
   <source>→ softmax of each row</source>
   <translation>→ 每行的 softmax</translation>
  </message>
  <message>
   <source>→ the heads side by side</source>
   <translation>→ 各头并排</translation>
  </message>
  <message>
   <source>→ weights · inputs</source>
   <translation>→ 权重 · 输入</translation>
  </message>
  <message>
   <source>→ weights · values</source>
   <translation>→ 权重 · 值</translation>
  </message>
  <message>
   <source>→ {rate} struck, the rest times {scale}</source>
   <translation>→ 划去 {rate}，其余乘以 {scale}</translation>
  </message>
  <message>
   <source>− column</source>
   <translation>− 列</translation>
  </message>
  <message>
   <source>− layer</source>
   <translation>− 层</translation>
  </message>
  <message>
   <source>− row</source>
   <translation>− 行</translation>
  </message>
  <message>
   <source>∞: a target was held for impossible</source>
   <translation>∞：有一个目标被认为不可能</translation>
  </message>
  <message>
   <source>≠ One-hot times matrix is another row.</source>
   <translation>≠ 独热向量乘以矩阵是另一行。</translation>
  </message>
  <message>
   <source>▸ window {k}</source>
   <translation>▸ 窗口 {k}</translation>
  </message>
  <message>
   <source>✓ One-hot times matrix is the looked-up row, number by number.</source>
   <translation>✓ 独热向量乘以矩阵就是查出的那一行，每个数都相同。</translation>
  </message>
 </context>
</TS>
